import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './theme.css'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createSettingsRouter } from './router.tsx'
import { Reconnect } from './session/Reconnect.tsx'
import { createQueries } from './session/session.ts'
import { theme } from './theme.ts'

const queries = createQueries({
  onSessionEnded: () => void router.navigate({ to: '/sign-in', search: signInAgain(), ignoreBlocker: true }),
  onGone: ({ message }) =>
    notifications.show({ message: `${message}. Someone else changed it in the meantime.`, color: 'yellow' }),
})
const router = createSettingsRouter(queries)

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createSettingsRouter>
  }
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root element')

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" containerWidth={360} autoClose={8_000} />
        <Reconnect router={router} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

function signInAgain() {
  const { pathname, search } = window.location
  return { next: pathname + search, ended: 'yes' as const }
}
