import type {Fields} from './tool.ts'

/** Whether a site offers its tools. A missing field means yes. */
export function isSiteEnabled({enabled}: Fields): boolean {
  return (enabled ?? true) === true
}
