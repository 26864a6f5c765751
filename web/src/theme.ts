import { createTheme, Drawer, Modal, Notification, SegmentedControl, Table } from '@mantine/core'

const dialog = {
  lockScroll: false,
  overlayProps: { backgroundOpacity: 0.4 },
  closeButtonProps: { 'aria-label': 'Close' },
  // A dialog's <header> would count as a second banner of the page.
  attributes: { header: { role: 'presentation' } },
}

/** What Mantine needs in JavaScript. The values themselves are in theme.css. */
export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: {
    pine: [
      '#e8f2ef',
      '#d2e7e1',
      '#a9d5ca',
      '#6dcfb8',
      '#3fae97',
      '#1f8f7a',
      '#127a69',
      '#0d6b5e',
      '#0a574d',
      '#06251f',
    ],
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({
      defaultProps: { ...dialog, centered: true },
    }),
    Drawer: Drawer.extend({
      defaultProps: { ...dialog, position: 'right' },
    }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { withItemsBorders: false } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md', tabularNums: true } }),
  },
})
