import { useClipboard } from '@mantine/hooks'
import { type RefObject, useEffect } from 'react'

/** Copies what the element shows. Without clipboard access it is selected, so it can be copied by keyboard. */
export function useCopy(text: string, element: RefObject<HTMLElement | null>) {
  const { copy, copied, error } = useClipboard({ timeout: 3_000 })
  useEffect(() => {
    if (error === null || element.current === null) return
    if (element.current instanceof HTMLInputElement) element.current.select()
    else window.getSelection()?.selectAllChildren(element.current)
  }, [error, element])
  return {
    copy: () => copy(text),
    copied,
    blocked: error && !copied ? 'Your browser blocked copying. The text is selected; press Ctrl+C or ⌘C.' : null,
  }
}
