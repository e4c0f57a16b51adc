import {labelOf} from '../../content/document.ts'
import {draftId} from '../../content/ids.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {QueryEnvironment} from '../query/run.ts'
import {Access, type AccessSettings} from './access.ts'
import {DocumentRights} from './documentRights.ts'
import {NO_SITES, type SiteRules} from './rights/grants.ts'

type OpenAccessOptions = {
  readonly settings: AccessSettings
  /** Which documents belong to a site. Without them, rights for named sites are for no document. */
  readonly siteRules: SiteRules | undefined
  readonly store: DocumentStore
  readonly environment: QueryEnvironment
}

/**
 * Opens what decides who may do what.
 * @throws Error with one line if the mapping of single sign-on is not valid
 */
export async function openAccess(
  options: OpenAccessOptions,
): Promise<{readonly access: Access; readonly rights: DocumentRights}> {
  const {settings, siteRules = NO_SITES, store, environment} = options
  const view = () => store.view('raw')
  const siteName = (id: string) => {
    const site = view().get(id) ?? view().get(draftId(id))
    return site === undefined ? id : labelOf(site)
  }
  const access = new Access({siteName, ...settings})
  await access.singleSignOn?.checkMapping()
  const rights = new DocumentRights({
    rules: siteRules,
    view,
    siteName: access.siteName,
    environment,
    rightsNow: (principal) => access.rightsNow(principal),
    editors: () => access.accounts.editors(),
  })
  return {access, rights}
}
