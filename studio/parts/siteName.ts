import {textOf} from '../../schemas/rules/text.ts'

/** What a site with this name is called where people choose or read it. */
export function siteName(name: unknown): string {
  return textOf(name) || 'Untitled site'
}
