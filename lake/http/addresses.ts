import type {IncomingMessage} from 'node:http'

/** Operations on a dataset, by the names that all forms of an address share. */
const DATASET_ADDRESS =
  /^(\/v[^/?]+)\/projects\/([^/?]+)\/datasets\/([^/?]+)\/(query|doc|mutate|actions|listen|live\/events|export|history)(?=[/?]|$)/

/**
 * Converts an API address to the form in which its route is declared: without duplicate and trailing slashes
 * (`//v2024-01-01/…`), which some of Sanity's programs send, and with `/data/query/:dataset` instead of
 * `/projects/:project/datasets/:dataset/query`, which clients with a `resource` send.
 */
export function routedAddress(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const {url = '/', headers} = request
  if (!/^\/+v[\dX]/.test(url)) return url
  const search = url.indexOf('?')
  const [path, query] = search < 0 ? [url, ''] : [url.slice(0, search), url.slice(search)]
  const clean = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  return (
    clean.replace(
      DATASET_ADDRESS,
      (_match, version: string, project: string, dataset: string, operation: string) => {
        // Clients that do not name the project in the path or in the host name it here.
        headers['x-sanity-project-id'] = decoded(project)
        return `${version}/data/${operation}/${dataset}`
      },
    ) + query
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
