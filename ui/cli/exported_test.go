package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"ephemera/core/chain/chaintest"
)

func TestEveryExportedNameHasAComment(t *testing.T) {
	files := token.NewFileSet()
	for _, p := range packages(t) {
		for _, name := range p.GoFiles {
			file := chaintest.Must(parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.ParseComments))(t)
			for _, decl := range file.Decls {
				for _, bare := range undocumented(decl) {
					t.Errorf("%s: %s", files.Position(bare.Pos()), bare.Name)
				}
			}
		}
	}
}

// ofInterfaces are methods that are explained where their interface is.
var ofInterfaces = []string{"Update", "View", "Resize", "Commands", "Typing", "Refresh", "Error", "String", "Unwrap", "DecodeWire"}

// undocumented lists the exported names of a declaration without a comment.
func undocumented(decl ast.Decl) (bare []*ast.Ident) {
	note := func(id *ast.Ident, docs ...*ast.CommentGroup) {
		said := slices.ContainsFunc(docs, func(c *ast.CommentGroup) bool { return c != nil })
		if id.IsExported() && !said {
			bare = append(bare, id)
		}
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) && !slices.Contains(ofInterfaces, d.Name.Name) {
			note(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				note(s.Name, s.Doc, s.Comment, d.Doc)
			case *ast.ValueSpec:
				note(s.Names[0], s.Doc, s.Comment, d.Doc)
			}
		}
	}
	return bare
}

// receiver is the name of a receiver's type; of one with parameters it is empty.
func receiver(x ast.Expr) string {
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
