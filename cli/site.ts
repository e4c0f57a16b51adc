import type {Snapshot} from '../advice/changes/compare.ts'
import type {StoredDocument} from '../schemas/documents.ts'
import {textOf} from '../schemas/rules/text.ts'
import {CommandError} from './command.ts'

/**
 * The site that a command is about.
 * @param given its public ID or `_id`, if the user named it
 * @param origin of the site's pages, if it is known: of several sites, the one with this address is meant
 * @throws CommandError
 */
export function chooseSite(documents: Snapshot, given: string | undefined, origin?: string): StoredDocument {
  const sites = [...documents.values()].filter(({_type}) => _type === 'site')
  const ids = sites.map(({publicId}) => textOf(publicId)).join(', ')
  const here = sites.filter(({addresses}) => Array.isArray(addresses) && addresses.includes(origin))
  const wanted = sites.find(({publicId, _id}) => given !== undefined && [publicId, _id].includes(given))
  const [only, another] = here.length > 0 ? here : sites
  if (given !== undefined && wanted === undefined)
    throw new CommandError(`There is no site with the public ID "${given}". There are: ${ids}.`)
  const site = wanted ?? (another === undefined ? only : undefined)
  if (site === undefined)
    throw new CommandError(
      sites.length === 0 ? 'It has no site: add one in Studio.' : `Choose a site with --site: ${ids}.`,
    )
  return site
}
