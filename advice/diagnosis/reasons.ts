import type {ToolType} from '../../schemas/documents.ts'

/** Why none of a site's tools is offered. */
export type SiteReason =
  | {readonly code: 'siteUnpublished'}
  | {readonly code: 'siteOff'}
  | {readonly code: 'siteInvalid'; readonly field: string; readonly problem: string}
  /** An older site has the same public ID. */
  | {readonly code: 'siteTaken'; readonly by: {readonly id: string; readonly name: string}}
  | {readonly code: 'siteTooLarge'; readonly segments: number}

/** Why a tool is not offered. */
export type Reason =
  | SiteReason
  | {readonly code: 'unpublished'}
  | {readonly code: 'otherSite'}
  | {readonly code: 'off'}
  /** Breaks the rule of a field, in the rule's own words. */
  | {readonly code: 'invalid'; readonly field: string; readonly problem: string}
  /** Another tool that comes first has the same name. */
  | {
      readonly code: 'nameTaken'
      readonly name: string
      readonly by: {readonly id: string; readonly type: ToolType}
    }
  /** Before or after the time for which it is offered; in milliseconds since 1970. */
  | {readonly code: 'early' | 'over'; readonly time: number}
  | {readonly code: 'noMatch'; readonly pattern: string; readonly page: string}

/** The state of a tool on a page: offered, or the first reason why not. */
export type State = 'offered' | Reason['code']

/** @param reasons the most important one first; none: the tool is offered */
export function stateOf([first]: readonly Reason[]): State {
  return first?.code ?? 'offered'
}
