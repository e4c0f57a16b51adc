// Functions stand in this order in scripts. With results first, and readers after them, scripts of several kinds compress best.

export {columns, list, message, object, text} from './results.ts'

// The readers.

export {
  find,
  findDeep,
  readAttribute,
  readColumns,
  readDefinitions,
  readItems,
  readLinks,
  readList,
  readRows,
  readText,
} from './html/parts.ts'

// In any order.

export {addQuery, checkDates, fill} from './address.ts'
export {runLink} from './html/link.ts'
export {parts, readMore} from './html/page.ts'
export {grow, runReading} from './html/reading.ts'
export {rowsOfAny} from './html/tables.ts'
export {valueAt, valueInLists} from './json.ts'
export {changes, changesAt, reads} from './outcome.ts'
export {askedHeaders, runRequest, sentForm, sentInParts, sentJson} from './request.ts'
export {saidAt, saidIn, saysNothing} from './said.ts'
export {asJson, asQuery, asText, fixed, inGroup, inList, ofCookie, onPage} from './values.ts'
