import { type RefCallback, useEffect, useRef } from 'react'

/**
 * After a dialog: the button that opened it may be gone, and focus with it. A dialog that is still there for a moment keeps
 * it until then, so this looks twice.
 */
export function focusIfLost(element: HTMLElement | null): void {
  const look = () => {
    if (document.activeElement === document.body) element?.focus()
  }
  look()
  setTimeout(look, 100)
}

/** For what has left the list, and its row with it. */
export function pageContent(): HTMLElement | null {
  return document.getElementById('content')
}

/** Moves focus to the element when `state` changes: the control that had it is usually gone by then. */
export function useFocusOnChange(state: string): RefCallback<HTMLElement> {
  const element = useRef<HTMLElement>(null)
  const previous = useRef(state)
  useEffect(() => {
    if (previous.current === state) return
    previous.current = state
    // An open dialog has the focus, and moves it when it closes.
    if (!document.querySelector('[aria-modal="true"]')) element.current?.focus()
  }, [state])
  return (next) => {
    element.current = next
  }
}
