import type {Fields} from '../record.ts'

/** Whether pages of a site report calls: not at all, at once, or when the page says that the visitor consents. */
export type Reporting = 'off' | 'on' | 'afterConsent'

/** Whether pages of a site report calls. What cannot be read reports less. */
export function reportingOf({reportCalls, reportAfterConsent}: Fields): Reporting {
  if (reportCalls !== true) return 'off'
  return (reportAfterConsent ?? false) === false ? 'on' : 'afterConsent'
}
