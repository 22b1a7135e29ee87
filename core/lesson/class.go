package lesson

import (
	"cmp"
	"fmt"
	"slices"
)

// Class summarises the results of several learners.
type Class struct {
	// Learners has the learners in the order of their results.
	Learners []ClassLearner `json:"learners"`
	// Tasks has the tasks with answered questions, sorted by lesson and index.
	Tasks []ClassTask `json:"tasks"`
	// Beliefs has the misconceptions that the answered questions can find.
	Beliefs []Belief `json:"beliefs"`
	// Challenges has the score of each learner in each challenge that was solved.
	Challenges []ClassScore `json:"challenges"`
}

// ClassScore is how many messages one learner needed for a challenge, and how many the
// shortest way has.
type ClassScore struct {
	Challenge string `json:"challenge"` // its title
	Learner   string `json:"learner"`
	Messages  int    `json:"messages"`
	Par       int    `json:"par"`
}

// ClassLearner is one learner of a class.
type ClassLearner struct {
	Name string `json:"name"`
	// Signs has a sign for each of [Class.Tasks], in the same order: "+" if the learner's
	// first answer was right, "-" if it was wrong, and "." if there was none.
	Signs []string `json:"signs"`
}

// ClassTask counts the answers of a class to one question.
type ClassTask struct {
	// Lesson is the ID of the lesson, and Content tells lessons of teachers apart that
	// have the same ID; see [LessonResult].
	Lesson   string `json:"lesson"`
	Content  string `json:"content,omitempty"`
	Task     int    `json:"task"` // the number of the task, from 1
	Question string `json:"question"`
	// Answered counts first answers, and Right those that were right. Hints and Tries
	// are sums over all learners.
	Answered int `json:"answered"`
	Right    int `json:"right"`
	Hints    int `json:"hints"`
	Tries    int `json:"tries"`
	// Wrong has the wrong choices that were taken, in the order in which they were first
	// taken.
	Wrong []WrongChoice `json:"wrong,omitempty"`
	// LookedFirst has the learners who sent messages or queries before their answer.
	LookedFirst []string `json:"looked_first,omitempty"`
}

// WrongChoice is a wrong answer to a question, and how many learners gave it first.
type WrongChoice struct {
	Choice string `json:"choice"`
	Count  int    `json:"count"`
}

// Belief is a misconception, which is a wrong belief about the contract, and what the answers
// of each learner show about it.
type Belief struct {
	Misconception Misconception `json:"misconception"`
	// Text is the misconception as the end of a sentence that begins with "believes that".
	Text string `json:"text"`
	// Learners has the learners with an answer that could show the misconception.
	Learners []BeliefRecord `json:"learners"`
}

// BeliefRecord is what one learner's answers show about a misconception.
type BeliefRecord struct {
	Learner string `json:"learner"`
	// Asked counts the answers that could show the misconception, and Held those that did.
	Asked int `json:"asked"`
	Held  int `json:"held"`
	// IsHeld is whether the last of these answers, in the order of the lessons, showed it.
	IsHeld bool `json:"is_held"`
}

// String describes the record of a learner who has shown the misconception: in how many of
// the questions about it, and whether the last answer still did. "ben 2 of 3" still holds it;
// "ana held 1 of 3, right since" does not.
func (r BeliefRecord) String() string {
	if r.IsHeld {
		return fmt.Sprintf("%s %d of %d", r.Learner, r.Held, r.Asked)
	}
	return fmt.Sprintf("%s held %d of %d, right since", r.Learner, r.Held, r.Asked)
}

// Holders returns how many learners hold the misconception by their last answer, and the
// records of all who have ever shown it.
func (b Belief) Holders() (holders int, shown []BeliefRecord) {
	for _, record := range b.Learners {
		if record.IsHeld {
			holders++
		}
		if record.Held > 0 {
			shown = append(shown, record)
		}
	}
	return holders, shown
}

// ReportClass summarises the results that learners handed in: for each question how often
// it was answered and answered rightly, for each misconception who holds it, and the scores
// of challenges. It leaves out misconceptions that no answered question asks about.
func ReportClass(results []Result) Class {
	var class Class
	for _, result := range results {
		class.addAnswers(result)
		class.addBeliefs(result)
	}

	slices.SortStableFunc(class.Challenges, func(a, b ClassScore) int {
		return cmp.Or(cmp.Compare(a.Challenge, b.Challenge), cmp.Compare(a.Messages, b.Messages))
	})
	sortMisconceptions(class.Beliefs, func(b Belief) Misconception { return b.Misconception })

	// The signs need the list of all tasks, so they come last.
	for _, result := range results {
		learner := ClassLearner{Name: result.Learner}
		for _, task := range class.Tasks {
			learner.Signs = append(learner.Signs, result.sign(task))
		}
		class.Learners = append(class.Learners, learner)
	}
	return class
}

// sign returns "+" if a learner's first answer to a task was right, "-" if it was wrong,
// and "." if there was none.
func (r Result) sign(t ClassTask) string {
	for _, lesson := range r.Lessons {
		isSameLesson := lesson.ID == t.Lesson && lesson.Content == t.Content
		if !isSameLesson || t.Task > len(lesson.Tasks) {
			continue
		}
		switch task := lesson.Tasks[t.Task-1]; {
		case task.Right:
			return "+"
		case task.Given != "":
			return "-"
		}
	}
	return "."
}

// addAnswers adds a learner's answers to the counts of each question, and the scores of the
// challenges that the learner has solved. Tasks without an answer do not count.
func (c *Class) addAnswers(result Result) {
	for _, lesson := range result.Lessons {
		for i, task := range lesson.Tasks {
			if task.Given != "" {
				c.countsOf(lesson, i).add(result.Learner, task)
			}
			if task.Par > 0 {
				c.Challenges = append(c.Challenges, ClassScore{
					Challenge: lesson.Title,
					Learner:   result.Learner,
					Messages:  task.Messages,
					Par:       task.Par,
				})
			}
		}
	}
}

// countsOf returns the counts of a task, whose index counts from 0. It inserts the task in
// the order of lessons and indices if it has no counts yet.
func (c *Class) countsOf(lesson LessonResult, index int) *ClassTask {
	task := ClassTask{
		Lesson:   lesson.ID,
		Content:  lesson.Content,
		Task:     index + 1,
		Question: lesson.Tasks[index].Question,
	}
	i, found := slices.BinarySearchFunc(c.Tasks, task, func(a, b ClassTask) int {
		return cmp.Or(cmp.Compare(a.Lesson, b.Lesson), cmp.Compare(a.Content, b.Content), cmp.Compare(a.Task, b.Task))
	})
	if !found {
		c.Tasks = slices.Insert(c.Tasks, i, task)
	}
	return &c.Tasks[i]
}

// add adds one learner's answer, hints and tries to the counts of a task.
func (t *ClassTask) add(learner string, result TaskResult) {
	t.Answered++
	t.Hints += result.Hints
	t.Tries += result.Tries
	if result.Looked > 0 {
		t.LookedFirst = append(t.LookedFirst, learner)
	}
	if result.Right {
		t.Right++
		return
	}

	// A wrong choice is counted with the others who made it.
	i := slices.IndexFunc(t.Wrong, func(w WrongChoice) bool { return w.Choice == result.Given })
	if i < 0 {
		i = len(t.Wrong)
		t.Wrong = append(t.Wrong, WrongChoice{Choice: result.Given})
	}
	t.Wrong[i].Count++
}

// addBeliefs adds what a learner's answers show about each misconception that their questions
// ask about.
func (c *Class) addBeliefs(result Result) {
	for _, lesson := range result.Lessons {
		for _, task := range lesson.Tasks {
			if task.Given == "" {
				continue
			}
			for _, misconception := range task.About {
				record := c.recordOf(result.Learner, misconception, lesson.belief(misconception))
				record.add(task.Believes == misconception)
			}
		}
	}
}

// add counts an answer about the misconception. isHeld is set if the answer shows it.
func (r *BeliefRecord) add(isHeld bool) {
	r.Asked++
	r.IsHeld = isHeld
	if isHeld {
		r.Held++
	}
}

// recordOf returns a learner's record about a misconception, and adds it if there is none.
// Lessons of two teachers can have misconceptions of the same name: text, which says what
// is believed, tells them apart.
func (c *Class) recordOf(learner string, m Misconception, text string) *BeliefRecord {
	isSame := func(b Belief) bool { return b.Misconception == m && b.Text == text }
	i := slices.IndexFunc(c.Beliefs, isSame)
	if i < 0 {
		i = len(c.Beliefs)
		c.Beliefs = append(c.Beliefs, Belief{Misconception: m, Text: text})
	}

	// Results are added one after the other, so the learner's record is the last or missing.
	belief := &c.Beliefs[i]
	last := len(belief.Learners) - 1
	isMissing := last < 0 || belief.Learners[last].Learner != learner
	if isMissing {
		last++
		belief.Learners = append(belief.Learners, BeliefRecord{Learner: learner})
	}
	return &belief.Learners[last]
}
