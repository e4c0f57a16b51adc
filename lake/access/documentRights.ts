import {LRUCache} from 'lru-cache'
import type {Document} from '../../content/document.ts'
import type {View} from '../../content/view.ts'
import {type Matcher, matcher, type QueryEnvironment} from '../query/run.ts'
import type {Principal} from './principal.ts'
import {type DocumentPermission, type Grant, grantsOf, type SiteRules} from './rights/grants.ts'
import {describeRights, type Rights, type SiteName} from './rights/rights.ts'

/** Maximum distinct rights whose filters are kept compiled. */
const MAX_COMPILED = 1_000

/** Maximum administrators that a refusal names. */
const MAX_NAMED = 3

/** What a person or a program may do with documents: whether a permission is granted on one in a given state. */
type RightsOnDocuments = {may(permission: DocumentPermission, document: Document): boolean}

type DocumentRightsOptions = {
  readonly rules: SiteRules
  /** All documents, as of before a transaction. */
  readonly view: () => View
  readonly environment: QueryEnvironment
  /** The rights that a principal has now; none if it was removed. */
  readonly rightsNow: (principal: Principal) => Rights
  readonly editors: () => readonly Principal[]
  readonly siteName: SiteName
}

/** Decides who may do what with which documents. */
export class DocumentRights {
  readonly #options: DocumentRightsOptions
  readonly #compiled = new LRUCache<string, RightsOnDocuments>({max: MAX_COMPILED})

  constructor(options: DocumentRightsOptions) {
    this.#options = options
  }

  /** What a principal may do with documents, by the rights that it had when it was authenticated. */
  rightsOf({rights}: Pick<Principal, 'rights'>): RightsOnDocuments {
    const key = JSON.stringify(rights)
    let compiled = this.#compiled.get(key)
    if (compiled === undefined) {
      compiled = this.#compile(grantsOf(rights, this.#options.rules))
      this.#compiled.set(key, compiled)
    }
    return compiled
  }

  /** A principal with the rights that it has now: a request may have waited. */
  current(principal: Principal): Principal {
    return {...principal, rights: this.#options.rightsNow(principal)}
  }

  /** A principal's grants, as Sanity's API shows them. */
  grantsOf({rights}: Pick<Principal, 'rights'>): readonly Grant[] {
    return grantsOf(rights, this.#options.rules)
  }

  /** A sentence on what a principal's rights are, and who can change those for a document. */
  advice({rights}: Pick<Principal, 'rights'>, document: Document): string {
    const administrators = this.#options.editors().filter((editor) => this.administers(editor, document))
    const names = administrators.slice(0, MAX_NAMED).map(({name, email}) => `${name} (${email})`)
    const whom = names.length === 0 ? 'the operator of this lake' : `an administrator: ${names.join(', ')}`
    return `Your rights: ${describeRights(rights, this.#options.siteName)}. Ask ${whom}.`
  }

  /** Whether a principal is administrator for a document. */
  administers({rights}: Principal, document: Document): boolean {
    const managed = rights.filter(({role}) => role === 'administrator')
    return this.rightsOf({rights: managed}).may('update', document)
  }

  #compile(grants: readonly Grant[]): RightsOnDocuments {
    const {view, environment} = this.#options
    const compiled = grants.map(({filter, permissions}): [Grant['permissions'], Matcher] => [
      permissions,
      matcher(`*[${filter}]`, {}, environment),
    ])
    return {
      may: (permission, document) =>
        compiled.some(
          ([permissions, matches]) => permissions.includes(permission) && matches(document, view()),
        ),
    }
  }
}
