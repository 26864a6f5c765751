import { convertV2 } from 'openapi-to-postmanv2'
import { withExamples } from './examples.ts'

/** As much of Postman's format as is looked at here. */
export type Collection = {
  info: { _postman_id?: string; name: string; description: { content: string } }
  item: Folder[]
  variable: { key: string; value: string }[]
}
export type Folder = { id?: string; name: string; item: Item[] }
export type Item = { id?: string; name: string; request: Request; response: unknown[]; event?: Script[] }
export type Request = {
  method: string
  description: { content: string }
  url: { host: string[]; path: string[]; query: Parameter[]; variable: Parameter[] }
  header: { key: string; value: string }[]
  body?: { raw?: string }
}
type Script = { listen: 'test'; script: { type: 'text/javascript'; exec: string[] } }
export type Parameter = { key: string; value: string; description: { content: string } }

/** A Postman collection with one request for every operation of the document, ready to be sent. */
export async function collectionOf(document: object): Promise<Collection> {
  const made = await convert(withExamples(document))
  const { _postman_id, ...info } = made.info
  const collection = {
    ...made,
    info,
    item: made.item.map(({ id, ...folder }) => ({ ...folder, item: folder.item.map(settled) })),
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      { key: 'templateId', value: '' },
    ],
  }
  return JSON.parse(JSON.stringify(collection).replaceAll(exampleTemplate, '{{templateId}}'))
}

/** Any other would do: requests that need a template are about the one made last. */
const exampleTemplate = /tpl_[0-9a-z]{26}/g

function convert(data: object): Promise<Collection> {
  const options = {
    folderStrategy: 'Tags',
    parametersResolution: 'Example',
    enableOptionalParameters: false,
    alwaysInheritAuthentication: true,
  }
  return new Promise((resolve, reject) => {
    convertV2({ type: 'json', data }, options, (error, conversion) => {
      const [made] = error === null && conversion.result ? conversion.output : []
      if (made) resolve(made.data)
      else reject(error ?? new Error(conversion.result ? 'There is no collection' : conversion.reason))
    })
  })
}

/** Ids and sample answers are made up anew at every run; the reference page has the answers. */
function settled({ id, ...item }: Item): Item {
  const { method, url } = item.request
  const makesTemplate = method === 'POST' && url.path.at(-1) === 'templates'
  return { ...item, response: [], ...(makesTemplate && { event: [keepTemplate] }) }
}

const keepTemplate: Script = {
  listen: 'test',
  script: { type: 'text/javascript', exec: ["pm.collectionVariables.set('templateId', pm.response.json().id)"] },
}

export function collectionText(collection: Collection): string {
  return `${JSON.stringify(collection, null, 2)}\n`
}
