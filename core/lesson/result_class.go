package lesson

import (
	"cmp"
	"fmt"
	"slices"
)

// ReportClass summarises the results that learners handed in. Misconceptions that no answered
// question asks about are left out. Which answers are right, and what they show, is read from
// the lessons.
//
// A learner counts once, also with several results: for each lesson the newest counts, and
// the last of those that are as new. A result that does not say when it was written is older
// than all that do.
func ReportClass(results []Result, lessons []Lesson) Class {
	var class Class
	results = mergeResults(results)
	for _, result := range results {
		for i := range result.Lessons {
			lesson := &result.Lessons[i]
			if !lesson.check(lessons) && !slices.Contains(class.Unchecked, lesson.ID) {
				class.Unchecked = append(class.Unchecked, lesson.ID)
			}
		}
		class.addAnswers(result)
	}

	// In each challenge the learner with the fewest messages is first.
	slices.SortStableFunc(class.Challenges, func(a, b ClassScore) int {
		return cmp.Or(cmp.Compare(a.Challenge, b.Challenge), cmp.Compare(a.Messages, b.Messages))
	})
	slices.SortStableFunc(class.Beliefs, func(a, b Belief) int {
		return a.Misconception.rank() - b.Misconception.rank()
	})

	// Each learner gets one sign for each task of the class, so this comes after all tasks
	// were added.
	for _, result := range results {
		learner := ClassLearner{Name: result.Learner, Signs: slices.Repeat([]string{"."}, len(class.Tasks))}
		for _, lesson := range result.Lessons {
			for i, task := range lesson.Tasks {
				if task.Given == "" {
					continue
				}
				sign := &learner.Signs[class.findOrAddTask(lesson, i)]
				*sign = "-"
				if task.Right {
					*sign = "+"
				}
			}
		}
		class.Learners = append(class.Learners, learner)
	}
	return class
}

// Class summarises the results of several learners.
type Class struct {
	Learners []ClassLearner `json:"learners"` // sorted by name
	// Unchecked has the IDs of lessons that were not given or ask other questions.
	Unchecked  []string     `json:"unchecked,omitempty"`
	Tasks      []ClassTask  `json:"tasks"`      // with answered questions, sorted by lesson and index
	Beliefs    []Belief     `json:"beliefs"`    // that the answered questions can find
	Challenges []ClassScore `json:"challenges"` // of each learner in each challenge that was solved
}

// ClassScore says with how many messages one learner solved a challenge.
type ClassScore struct {
	Challenge string `json:"challenge"` // its title
	Learner   string `json:"learner"`
	Messages  int    `json:"messages"` // that the learner needed
	Par       int    `json:"par"`      // how many messages the shortest solution has
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
	Lesson   string `json:"lesson"`            // its ID
	Content  string `json:"content,omitempty"` // see [LessonResult]
	Task     int    `json:"task"`              // the number of the task, from 1
	Question string `json:"question"`
	// Only the first answer of each learner counts.
	Answered int `json:"answered"` // how many learners answered
	Right    int `json:"right"`    // how many of the answers were right
	Hints    int `json:"hints"`    // shown to these learners together
	Tries    int `json:"tries"`    // messages that these learners sent together
	// Wrong has the wrong choices in the order in which they were first taken.
	Wrong       []WrongChoice `json:"wrong,omitempty"`
	LookedFirst []string      `json:"looked_first,omitempty"` // who sent something before their answer
}

// WrongChoice is a wrong answer to a question, and how many learners gave it first.
type WrongChoice struct {
	Choice string `json:"choice"`
	Count  int    `json:"count"`
}

// Belief is a misconception and what the answers of each learner show about it.
type Belief struct {
	Misconception Misconception  `json:"misconception"`
	Text          string         `json:"text"`     // see [Lesson.Belief]
	Learners      []BeliefRecord `json:"learners"` // who answered a question about it
}

// BeliefRecord is what one learner's answers show about a misconception.
type BeliefRecord struct {
	Learner   string `json:"learner"`
	Asked     int    `json:"asked"`   // the answers to questions about the misconception
	HeldCount int    `json:"held"`    // the answers that showed it
	IsHeldNow bool   `json:"is_held"` // the last of the answers, in the order of the lessons, did
}

// String returns "ben 2 of 3" if the last answer showed the misconception, and otherwise "ana
// held 1 of 3, right since".
func (r BeliefRecord) String() string {
	if r.IsHeldNow {
		return fmt.Sprintf("%s %d of %d", r.Learner, r.HeldCount, r.Asked)
	}
	return fmt.Sprintf("%s held %d of %d, right since", r.Learner, r.HeldCount, r.Asked)
}

// Holders returns the number of learners whose last answer shows the misconception, and the
// records of all who have ever shown it.
func (b Belief) Holders() (holderCount int, records []BeliefRecord) {
	for _, record := range b.Learners {
		if record.IsHeldNow {
			holderCount++
		}
		if record.HeldCount > 0 {
			records = append(records, record)
		}
	}
	return holderCount, records
}

// mergeResults returns one result for each learner, sorted by name, with the newest record of
// each lesson in the order of their IDs; see [ReportClass].
func mergeResults(results []Result) (merged []Result) {
	byLearner := slices.SortedStableFunc(slices.Values(results), func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Learner, b.Learner), a.Written.Compare(b.Written))
	})
	for _, result := range byLearner {
		last := len(merged) - 1
		if last < 0 || merged[last].Learner != result.Learner {
			merged = append(merged, Result{Learner: result.Learner})
			last++
		}
		for _, lesson := range result.Lessons {
			others := slices.DeleteFunc(merged[last].Lessons, func(l LessonResult) bool {
				return l.ID == lesson.ID && l.Content == lesson.Content
			})
			newest := append(others, lesson)
			slices.SortStableFunc(newest, func(a, b LessonResult) int { return cmp.Compare(a.ID, b.ID) })
			merged[last].Lessons = newest
		}
	}
	return merged
}

// addAnswers adds a learner's answers and scores. An answer counts for each misconception that a
// choice of its question can show.
func (c *Class) addAnswers(result Result) {
	for _, lesson := range result.Lessons {
		for i, task := range lesson.Tasks {
			if task.Par > 0 {
				c.Challenges = append(c.Challenges, ClassScore{
					Challenge: lesson.Title,
					Learner:   result.Learner,
					Messages:  task.Messages,
					Par:       task.Par,
				})
			}
			if task.Given == "" {
				continue
			}
			c.Tasks[c.findOrAddTask(lesson, i)].addAnswer(result.Learner, task)
			for _, misconception := range task.AskedMisconceptions {
				// A result of an earlier version may only have the name of a misconception.
				beliefText := cmp.Or(
					misconception.mutant().Belief,
					lesson.Misconceptions[misconception],
					string(misconception))
				record := c.findOrAddRecord(result.Learner, misconception, beliefText)
				record.Asked++
				record.IsHeldNow = task.ShownMisconception == misconception
				if record.IsHeldNow {
					record.HeldCount++
				}
			}
		}
	}
}

// findOrAddTask returns the position in c.Tasks of a task of a lesson. If the task is not there
// yet, it is inserted without answers.
func (c *Class) findOrAddTask(lesson LessonResult, index int) (position int) {
	task := ClassTask{
		Lesson:   lesson.ID,
		Content:  lesson.Content,
		Task:     index + 1,
		Question: lesson.Tasks[index].Question,
	}
	position, exists := slices.BinarySearchFunc(c.Tasks, task, func(a, b ClassTask) int {
		return cmp.Or(
			cmp.Compare(a.Lesson, b.Lesson),
			cmp.Compare(a.Content, b.Content),
			cmp.Compare(a.Task, b.Task),
		)
	})
	if !exists {
		c.Tasks = slices.Insert(c.Tasks, position, task)
	}
	return position
}

func (t *ClassTask) addAnswer(learner string, result TaskResult) {
	t.Answered++
	t.Hints += result.Hints
	t.Tries += result.Tries
	if result.LookCount > 0 {
		t.LookedFirst = append(t.LookedFirst, learner)
	}
	if result.Right {
		t.Right++
		return
	}

	// Count the wrong choice together with equal ones of other learners.
	i := slices.IndexFunc(t.Wrong, func(wrong WrongChoice) bool { return wrong.Choice == result.Given })
	if i < 0 {
		i = len(t.Wrong)
		t.Wrong = append(t.Wrong, WrongChoice{Choice: result.Given})
	}
	t.Wrong[i].Count++
}

// findOrAddRecord returns a learner's record about a misconception, for the caller to change.
// beliefText distinguishes misconceptions with the same name in the lessons of different
// teachers.
func (c *Class) findOrAddRecord(
	learner string,
	misconception Misconception,
	beliefText string,
) *BeliefRecord {
	i := slices.IndexFunc(c.Beliefs, func(b Belief) bool {
		return b.Misconception == misconception && b.Text == beliefText
	})
	if i < 0 {
		i = len(c.Beliefs)
		c.Beliefs = append(c.Beliefs, Belief{Misconception: misconception, Text: beliefText})
	}

	// All answers of one learner are added before those of the next. So the learner's
	// record is the last one, or there is none.
	belief := &c.Beliefs[i]
	last := len(belief.Learners) - 1
	if last < 0 || belief.Learners[last].Learner != learner {
		last++
		belief.Learners = append(belief.Learners, BeliefRecord{Learner: learner})
	}
	return &belief.Learners[last]
}
