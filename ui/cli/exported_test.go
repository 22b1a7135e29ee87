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
				for _, name := range undocumentedNames(decl) {
					t.Errorf("%s: %s", files.Position(name.Pos()), name.Name)
				}
			}
		}
	}
}

// interfaceMethods are methods that are documented in their interface.
var interfaceMethods = []string{"Update", "View", "Resize", "Commands", "Typing", "Refresh", "Error", "String", "Unwrap", "DecodeWire"}

// undocumentedNames returns the exported names of a declaration that have no comment.
func undocumentedNames(decl ast.Decl) (names []*ast.Ident) {
	check := func(id *ast.Ident, docs ...*ast.CommentGroup) {
		hasComment := slices.ContainsFunc(docs, func(c *ast.CommentGroup) bool { return c != nil })
		if id.IsExported() && !hasComment {
			names = append(names, id)
		}
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		isFunction := d.Recv == nil
		isOwnMethod := !isFunction && ast.IsExported(receiverName(d.Recv.List[0].Type)) && !slices.Contains(interfaceMethods, d.Name.Name)
		if isFunction || isOwnMethod {
			check(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				check(s.Name, s.Doc, s.Comment, d.Doc)
			case *ast.ValueSpec:
				check(s.Names[0], s.Doc, s.Comment, d.Doc)
			}
		}
	}
	return names
}

// receiverName returns the name of a receiver's type, or "" if the type has parameters.
func receiverName(x ast.Expr) string {
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
