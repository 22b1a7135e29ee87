package app

import (
	tea "github.com/charmbracelet/bubbletea"
)

// Clicked tells whether the left button went down.
func Clicked(msg tea.MouseMsg) bool {
	return msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft
}

// Wheeled gives which way the wheel was turned: 1 is down, 0 is no wheel.
func Wheeled(msg tea.MouseMsg) int {
	switch msg.Button {
	case tea.MouseButtonWheelDown:
		return 1
	case tea.MouseButtonWheelUp:
		return -1
	}
	return 0
}
