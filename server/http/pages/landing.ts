import type { FastifyInstance } from 'fastify'
import { html } from './html.ts'
import { notice } from './notice.ts'
import { sendPage } from './page.ts'

const landing = notice({
  logo: true,
  heading: 'Partner Interview API',
  text: 'Connects recruiting systems with interviews: templates and invitations go in, results come out.',
  actions: html`<a class="button" href="docs">API reference</a> <a href="settings">Settings</a> <a href="openapi.json">OpenAPI document</a>`,
})

/** The page at the root URL. */
export async function landingPage(app: FastifyInstance) {
  app.get('/', (_request, reply) => sendPage(reply, 200, landing))
}
