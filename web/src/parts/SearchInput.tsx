import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { IconSearch } from '../icons/icons.tsx'

type SearchInputProps = {
  label: string
  placeholder: string
  /** What the list is searched for, without space around it. */
  value: string
  maxLength: number
  className?: string | undefined
  onSearch(text: string): void
}

/** Searches as you type, after a short pause. */
export function SearchInput({ label, value, onSearch, ...props }: SearchInputProps) {
  const [typed, setTyped] = useState(value)
  const asked = useRef(value)
  const search = useDebouncedCallback((text: string) => {
    asked.current = text
    onSearch(text)
  }, 300)
  // A link, Clear or the browser's Back button can change it too. What was asked for may come back late: more may have
  // been typed by then, which must stay.
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    search.cancel()
    setTyped(value)
  }, [value, search])
  return (
    <TextInput
      {...props}
      aria-label={label}
      type="search"
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        search(currentTarget.value.trim())
      }}
    />
  )
}
