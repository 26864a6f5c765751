import { type Call, type ClientOptions, createTransport } from './http.ts'
import type {
  Invitation,
  InvitationInput,
  Page,
  ResultQuery,
  ResultSummary,
  Template,
  TemplateChanges,
  TemplateInput,
  TemplateQuery,
} from './types.ts'

export type Client = {
  templates: {
    /** Creates a template, or returns the one already mapped to the same externalPostingId. */
    create(template: TemplateInput): Promise<{ created: boolean; template: Template }>
    get(id: string): Promise<Template>
    update(id: string, changes: TemplateChanges): Promise<Template>
    /** All templates, newest first. Pages are fetched as you read. */
    list(query?: TemplateQuery): AsyncIterable<Template>
    page(query?: TemplateQuery): Promise<Page<Template>>
  }
  invitations: {
    /** Invites a candidate, or returns the existing invitation. Also how you check its status. */
    create(invitation: InvitationInput): Promise<{ created: boolean; invitation: Invitation }>
  }
  results: {
    /** All results, oldest completion first. Pages are fetched as you read. */
    list(query?: ResultQuery): AsyncIterable<ResultSummary>
    page(query?: ResultQuery): Promise<Page<ResultSummary>>
  }
}

/** Every call under /v1. Throws ApiError when the service answers with an error, ConnectionError when it does not answer. */
export function createClient(options: ClientOptions): Client {
  const send = createTransport(options)

  const read = async <Body>(path: string, query: Call['query'] = {}) =>
    (await send<Body>({ method: 'GET', path, query, repeatable: true })).body
  const templatePage = (query: TemplateQuery = {}) => read<Page<Template>>('/v1/templates', query)
  const resultPage = (query: ResultQuery = {}) => read<Page<ResultSummary>>('/v1/interview-results', query)

  return {
    templates: {
      async create(template) {
        // Without a posting, or with null for it, every call creates another template.
        const repeatable = template.externalPostingId != null
        const call = { method: 'POST', path: '/v1/templates', body: template, repeatable } as const
        const { status, body } = await send<Template>(call)
        return { created: status === 201, template: body }
      },
      get: async (id) => read<Template>(templatePath(id)),
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

/** An empty ID would lead to the list of templates. Dots are resolved: they can't be encoded in a URL. */
function templatePath(id: string): string {
  if (/^\.*$/.test(id)) throw new TypeError(`The template ID must not be empty or only dots: '${id}'`)
  return `/v1/templates/${encodeURIComponent(id)}`
}
