// Functions stand in this order in scripts. With these first, scripts of several kinds compress best.

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
export {list, message, object, refusesChange, refusesGraphql, text} from './results.ts'

// In any order.

export {checkDates, fill} from './address.ts'
export {runLink} from './html/link.ts'
export {parts, readMore} from './html/page.ts'
export {grow, runReading} from './html/reading.ts'
export {valueInLists} from './json.ts'
export {changes, reads} from './outcome.ts'
export {runRequest, sent, sentInParts} from './request.ts'
export {saidAt, saidIn} from './said.ts'
export {asJson, asQuery, asText, fixed, inGroup, inList, ofCookie, onPage} from './values.ts'
