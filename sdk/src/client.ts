import { type Call, type ClientOptions, createTransport } from './http.ts'
import type {
  Invitation,
  NewInvitation,
  NewTemplate,
  Page,
  ResultQuery,
  ResultSummary,
  Template,
  TemplateChanges,
  TemplateQuery,
} from './types.ts'

export type Client = {
  templates: {
    /** Makes a template, or gives the one already mapped to the same externalPostingId. */
    create(template: NewTemplate): Promise<{ created: boolean; template: Template }>
    get(id: string): Promise<Template>
    update(id: string, changes: TemplateChanges): Promise<Template>
    /** All of them, newest first, page by page as they are asked for. */
    list(query?: TemplateQuery): AsyncIterable<Template>
    page(query?: TemplateQuery): Promise<Page<Template>>
  }
  invitations: {
    /** Invites a candidate, or gives the invitation there is: also the way to see its status. */
    create(invitation: NewInvitation): Promise<{ created: boolean; invitation: Invitation }>
  }
  results: {
    /** All of them, oldest completion first, page by page as they are asked for. */
    list(query?: ResultQuery): AsyncIterable<ResultSummary>
    page(query?: ResultQuery): Promise<Page<ResultSummary>>
  }
}

/** Everything under /v1. Failures are thrown: ApiError when the service answered, ConnectionError when it did not. */
export function createClient(options: ClientOptions): Client {
  const send = createTransport(options)

  const read = async <Body>(path: string, query: Call['query'] = {}) =>
    (await send<Body>({ method: 'GET', path, query, repeatable: true })).body
  const templatePage = (query: TemplateQuery = {}) => read<Page<Template>>('/v1/templates', query)
  const resultPage = (query: ResultQuery = {}) => read<Page<ResultSummary>>('/v1/interview-results', query)

  return {
    templates: {
      async create(template) {
        // Without a posting every call makes one more.
        const repeatable = template.externalPostingId !== undefined
        const call = { method: 'POST', path: '/v1/templates', body: template, repeatable } as const
        const { status, body } = await send<Template>(call)
        return { created: status === 201, template: body }
      },
      get: (id) => read<Template>(templatePath(id)),
      async update(id, changes) {
        const call = { method: 'PATCH', path: templatePath(id), body: changes, repeatable: true } as const
        return (await send<Template>(call)).body
      },
      list: (query = {}) => itemsOf((at) => templatePage({ ...query, ...at })),
      page: templatePage,
    },
    invitations: {
      async create(invitation) {
        const call = { method: 'POST', path: '/v1/interview-invitations', body: invitation, repeatable: true } as const
        const { status, body } = await send<Invitation>(call)
        return { created: status === 201, invitation: body }
      },
    },
    results: {
      list: (query = {}) => itemsOf((at) => resultPage({ ...query, ...at })),
      page: resultPage,
    },
  }
}

async function* itemsOf<Item>(pageAt: (at: { cursor?: string }) => Promise<Page<Item>>): AsyncGenerator<Item> {
  for (let at: { cursor?: string } = {}; ; ) {
    const { data, nextCursor } = await pageAt(at)
    yield* data
    if (nextCursor === null) return
    at = { cursor: nextCursor }
  }
}

function templatePath(id: string): string {
  return `/v1/templates/${encodeURIComponent(id)}`
}
