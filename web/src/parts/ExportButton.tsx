import { Button } from '@mantine/core'
import { IconDownload } from '../icons/icons.tsx'

/** Downloads a list as a file for spreadsheets. */
export function ExportButton({ href }: { href: string }) {
  return (
    <Button
      component="a"
      href={href}
      download
      size="sm"
      variant="subtle"
      color="gray"
      leftSection={<IconDownload size={18} aria-hidden />}
      title="The newest 10,000 rows"
    >
      Export CSV
    </Button>
  )
}
