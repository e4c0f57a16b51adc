export {checkDates, fill, runLink} from './address.ts'
export {parts, readMore} from './html/page.ts'
export {
  find,
  findDeep,
  readAttribute,
  readDefinitions,
  readItems,
  readLinks,
  readList,
  readRows,
  readText,
} from './html/parts.ts'
export {grow, runReading} from './html/reading.ts'
export {valueInLists} from './json.ts'
export {changes, reads, readsElsewhere} from './outcome.ts'
export {runRequest, sent, sentInParts} from './request.ts'
export {list, message, object, refusesChange, refusesGraphql, text} from './results.ts'
export {saidAt, saidIn} from './said.ts'
export {asJson, asQuery, asText, fixed, inGroup, inList, ofCookie, onPage} from './values.ts'

/** What opening a page gets of the page that it runs in. */
export const hereToOpen = () => ({origin: self.origin, open: (address: URL) => location.assign(address)})

/** What a reading gets of it. */
export const hereToRead = (signal: AbortSignal) => ({signal, document})

/** What a request gets of it. */
export const hereToSend = (signal: AbortSignal) => ({signal, fetch, document, origin: self.origin})
