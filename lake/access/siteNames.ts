import {isJsonObject} from '../../common/json.ts'
import {git} from '../../git/process.ts'

/**
 * The names of published sites, for the command line, which runs without a lake. Leaves out sites whose name cannot be
 * read.
 * @param contentDir the folder of the content repository
 * @param type the type of site documents
 */
export async function siteNamesIn(
  contentDir: string,
  type: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(
    ids.map(async (id) => [id, await nameIn(contentDir, `HEAD:${type}/${id}.json`)] as const),
  )
  return new Map(named.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])))
}

async function nameIn(contentDir: string, object: string): Promise<string | undefined> {
  try {
    const document: unknown = JSON.parse(await git(contentDir, ['show', object]))
    return isJsonObject(document) && typeof document.name === 'string' ? document.name : undefined
  } catch {
    return undefined
  }
}
