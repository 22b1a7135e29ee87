package lesson_test

import (
	"strings"
	"testing"

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

		beliefs := lesson.ReportClass([]lesson.Result{result}).Beliefs

		_, shown := beliefs[0].Holders()
		if len(beliefs) != 1 || len(shown) != 1 || shown[0].String() != want {
			t.Errorf("the report says %+v, want %s", beliefs, want)
		}
	}
}

func TestMisconceptionsOfTeachersThatShareANameAreToldApartByWhatIsBelieved(t *testing.T) {
	var class []lesson.Result
	for _, belief := range []string{"roses are red", "tulips are red", "roses are red"} {
		text := strings.Replace(lesson.Skeleton(), "steps:\n", "misconceptions: {red: "+belief+"}\nsteps:\n", 1)
		text = strings.Replace(text, "inclusive-end", "red", 1)
		l := chaintest.Must(lesson.Read("own.yaml", strings.NewReader(text)))(t)
		s := begin(t, l, 0)
		s.Answer(wrongChoice(s.Question()))
		progress := lesson.Progress{}
		progress.Record(s)
		raw := chaintest.Must(progress.ResultOf("ana", []lesson.Lesson{l}).Encode())(t)
		class = append(class, chaintest.Must(lesson.DecodeResult(raw))(t))
	}

	var texts []string
	for _, belief := range lesson.ReportClass(class).Beliefs {
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

	task := lesson.ReportClass(class).Tasks[0]

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
	if tasks := lesson.ReportClass(class).Tasks; len(tasks) != 2 {
		t.Errorf("%d tasks, want one of each lesson: %+v", len(tasks), tasks)
	}
}
