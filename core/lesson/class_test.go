package lesson_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
)

func TestALearnerHoldsTheMisconceptionThatTheLastAnswerShows(t *testing.T) {
	answer := func(misconception lesson.Misconception) lesson.TaskResult {
		return lesson.TaskResult{
			TaskRecord:          lesson.TaskRecord{Given: "a"},
			AskedMisconceptions: []lesson.Misconception{"inclusive-end"},
			ShownMisconception:  misconception,
		}
	}
	wrong := answer("inclusive-end")
	other := answer(lesson.NoMisconception)
	for want, tasks := range map[string][]lesson.TaskResult{
		"ana held 1 of 2, right since": {wrong, other},
		"ana 1 of 2":                   {other, wrong},
	} {
		result := lesson.Result{Learner: "ana", Lessons: []lesson.LessonResult{{Tasks: tasks}}}

		beliefs := lesson.ReportClass([]lesson.Result{result}, nil).Beliefs

		_, shown := beliefs[0].Holders()
		if len(beliefs) != 1 || len(shown) != 1 || shown[0].String() != want {
			t.Errorf("the report says %+v, want %s", beliefs, want)
		}
	}
}

func TestMisconceptionsOfTeachersThatShareANameAreToldApartByWhatIsBelieved(t *testing.T) {
	var class []lesson.Result
	for i, belief := range []string{"roses are red", "tulips are red", "roses are red"} {
		text := strings.Replace(lesson.Skeleton(), "steps:\n", "misconceptions: {red: "+belief+"}\nsteps:\n", 1)
		text = strings.Replace(text, "inclusive-end", "red", 1)
		l := chaintest.Must(lesson.Read("own.yaml", strings.NewReader(text)))(t)
		s := begin(t, l, 0)
		s.Answer(wrongChoice(s.Question()))
		progress := lesson.Progress{}
		progress.Record(s)
		raw := chaintest.Must(progress.ResultOf([]string{"ana", "ben", "eve"}[i], []lesson.Lesson{l}).Encode())(t)
		class = append(class, chaintest.Must(lesson.DecodeResult(raw))(t))
	}

	var texts []string
	for _, belief := range lesson.ReportClass(class, nil).Beliefs {
		texts = append(texts, belief.Text)
	}

	if diff := cmp.Diff([]string{"roses are red", "tulips are red"}, texts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestATextThatIsNotAResultIsRefused(t *testing.T) {
	for _, text := range []string{"", `{"version":1}`, `{"version":2,"lessons":[]}`} {
		if _, err := lesson.DecodeResult([]byte(text)); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestAClassReportCountsAnswersAndWhoLookedFirst(t *testing.T) {
	l := allLessons(t)[0]
	var class []lesson.Result
	for _, learner := range []string{"ana", "ben", "eve"} {
		s := begin(t, l, 0)
		if learner == "ben" {
			s.NoteQuery([]byte(`{"num_tokens":{}}`))
		}
		choice := wrongChoice(s.Question())
		if learner == "eve" {
			choice = s.Question().Answer
		}
		s.Answer(choice)
		progress := lesson.Progress{}
		progress.Record(s)
		text := chaintest.Must(progress.ResultOf(learner, []lesson.Lesson{l}).Encode())(t)
		class = append(class, chaintest.Must(lesson.DecodeResult(text))(t))
	}

	task := lesson.ReportClass(class, nil).Tasks[0]

	want := lesson.ClassTask{
		Lesson:      l.ID,
		Task:        1,
		Question:    l.Tasks[0].Ask.Question,
		Answered:    3,
		Right:       1,
		Wrong:       []lesson.WrongChoice{{Choice: wrongChoice(l.Tasks[0].Ask), Count: 2}},
		LookedFirst: []string{"ben"},
	}
	if diff := cmp.Diff(want, task); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOwnLessonsOfOneFileNameAreDifferentLessonsInAReport(t *testing.T) {
	var class []lesson.Result
	for _, question := range []string{"How many?", "How much?"} {
		text := strings.Replace(lesson.Skeleton(), "question: ", "question: "+question+" ", 1)
		l := chaintest.Must(lesson.Read("own.yaml", strings.NewReader(text)))(t)
		s := begin(t, l, 0)
		s.Answer(s.Question().Answer)
		progress := lesson.Progress{}
		progress.Record(s)
		class = append(class, progress.ResultOf("ana", []lesson.Lesson{l}))
	}
	if tasks := lesson.ReportClass(class, nil).Tasks; len(tasks) != 2 {
		t.Errorf("%d tasks, want one of each lesson: %+v", len(tasks), tasks)
	}
}

// handIn returns the result of a learner who answered the first questions of a lesson.
func handIn(t *testing.T, learner string, l lesson.Lesson, answers ...string) lesson.Result {
	t.Helper()
	var record lesson.LessonRecord
	for i, answer := range answers {
		isRight := answer == l.Tasks[i].Ask.Answer
		record.FirstRecords = append(record.FirstRecords, lesson.TaskRecord{Given: answer, Right: isRight})
	}
	return lesson.Progress{l.ID: record}.ResultOf(learner, []lesson.Lesson{l})
}

func TestAReportReadsFromTheLessonWhichAnswersAreRight(t *testing.T) {
	all := allLessons(t)
	l := all[0]
	question := l.Tasks[0].Ask
	wrong := wrongChoice(question)

	// The file says the opposite of what is so.
	forged := handIn(t, "ana", l, wrong)
	forged.Lessons[0].Tasks[0].Right = true
	forged.Lessons[0].Tasks[0].ShownMisconception = "seconds"
	forged.Lessons[0].Tasks[0].AskedMisconceptions = nil
	modest := handIn(t, "ben", l, question.Answer)
	modest.Lessons[0].Tasks[0].Right = false
	class := lesson.ReportClass([]lesson.Result{forged, modest}, all)
	if class.Tasks[0].Right != 1 || class.Learners[0].Signs[0] != "-" || class.Learners[1].Signs[0] != "+" || len(class.Unchecked) > 0 {
		t.Errorf("the report is %+v", class)
	}
	var asked []lesson.Misconception
	for _, belief := range class.Beliefs {
		asked = append(asked, belief.Misconception)
	}
	if want := l.Tasks[0].DetectableMisconceptions(); len(asked) != len(want) || slices.ContainsFunc(want, func(m lesson.Misconception) bool { return !slices.Contains(asked, m) }) {
		t.Errorf("the first question asks about %v, in the report %v", want, asked)
	}
	if task := forged.Lessons[0].Tasks[0]; !task.Right {
		t.Error("the caller's result was changed")
	}

	// A lesson that is not there, and a question that it does not ask, are named.
	own := chaintest.Must(lesson.Read("own.yaml", strings.NewReader(lesson.Skeleton())))(t)
	other := handIn(t, "cleo", all[1], all[1].Tasks[0].Ask.Answer)
	other.Lessons[0].Tasks[0].Question = "Is it so?"
	results := []lesson.Result{handIn(t, "ben", own, own.Tasks[0].Ask.Answer), other}
	want := []string{own.ID, all[1].ID}
	if got := lesson.ReportClass(results, all).Unchecked; !slices.Equal(got, want) {
		t.Errorf("not compared: %v, want %v", got, want)
	}
	want = want[1:]
	if got := lesson.ReportClass(results, append(slices.Clone(all), own)).Unchecked; !slices.Equal(got, want) {
		t.Errorf("not compared: %v, want %v", got, want)
	}
}

func TestALearnerCountsOnceAndTheNewestResultOfALessonCounts(t *testing.T) {
	all := allLessons(t)
	first, second := all[0], all[1]
	at := func(r lesson.Result, written string) lesson.Result {
		r.Written = chaintest.Must(time.Parse(time.RFC3339, written))(t)
		return r
	}
	right, wrong := first.Tasks[0].Ask.Answer, wrongChoice(first.Tasks[0].Ask)
	undatedRight := handIn(t, "ana", first, right)
	undatedWrong := handIn(t, "ana", first, wrong)
	otherLesson := at(handIn(t, "ana", second, second.Tasks[0].Ask.Answer), "2026-11-21T12:00:00Z")
	old := at(undatedWrong, "2026-11-21T12:00:00Z")
	newest := at(undatedRight, "2026-11-21T13:20:00+01:00") // 12:20 in UTC
	for name, c := range map[string]struct {
		results []lesson.Result
		right   int
	}{
		"the newest is last":         {[]lesson.Result{otherLesson, old, newest}, 1},
		"the newest is first":        {[]lesson.Result{newest, old, otherLesson}, 1},
		"one says no time":           {[]lesson.Result{newest, undatedWrong, otherLesson}, 1},
		"only one says a time":       {[]lesson.Result{otherLesson, old, undatedRight}, 0},
		"none says a time":           {[]lesson.Result{undatedRight, otherLesson, undatedWrong}, 0},
		"none, in the other order":   {[]lesson.Result{undatedWrong, otherLesson, undatedRight}, 1},
		"as new, so the last counts": {[]lesson.Result{newest, at(undatedWrong, "2026-11-21T12:20:00Z"), otherLesson}, 0},
	} {
		ben := handIn(t, "ben", first, right)
		class := lesson.ReportClass(append(slices.Clone(c.results), ben), all)
		if len(class.Learners) != 2 || class.Learners[0].Name != "ana" || len(class.Tasks) != 2 {
			t.Fatalf("%s: the report is %+v", name, class)
		}
		if task := class.Tasks[0]; task.Answered != 2 || task.Right != c.right+1 {
			t.Errorf("%s: %d of %d right, want %d of 2", name, task.Right, task.Answered, c.right+1)
		}
		for _, belief := range class.Beliefs {
			names := map[string]int{}
			for _, record := range belief.Learners {
				names[record.Learner]++
			}
			if names["ana"] > 1 {
				t.Errorf("%s: ana has %d records of %s", name, names["ana"], belief.Misconception)
			}
		}
	}
}

func TestAResultSaysWhenItWasWrittenAndOneWithoutATimeIsRead(t *testing.T) {
	result := handIn(t, "ana", allLessons(t)[0], "x")
	if raw := string(chaintest.Must(result.Encode())(t)); strings.Contains(raw, "written") {
		t.Errorf("a result without a time has a member written: %s", raw)
	}
	result.Written = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	raw := chaintest.Must(result.Encode())(t)
	if !strings.Contains(string(raw), `"written": "2026-11-21T12:00:00Z"`) {
		t.Errorf("the result is %s", raw)
	}
	if got := chaintest.Must(lesson.DecodeResult(raw))(t); !got.Written.Equal(result.Written) {
		t.Errorf("written at %v, want %v", got.Written, result.Written)
	}
	if _, err := lesson.DecodeResult([]byte(strings.Replace(string(raw), "2026-11-21T", "yesterday", 1))); err == nil {
		t.Error("a result with a broken time is read")
	}
}
