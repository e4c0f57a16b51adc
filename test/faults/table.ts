import type {Fault} from './fault.ts'
import {LAKE_ACCESS} from './rows/lakeAccess.ts'
import {LAKE_CONTENT} from './rows/lakeContent.ts'
import {LAKE_HTTP} from './rows/lakeHttp.ts'
import {PAGES} from './rows/pages.ts'
import {SERVICE} from './rows/service.ts'
import {SHARED} from './rows/shared.ts'

/** All faults, in the order in which they are planted. */
export const FAULTS: readonly Fault[] = [
  ...SHARED,
  ...SERVICE,
  ...LAKE_ACCESS,
  ...LAKE_HTTP,
  ...LAKE_CONTENT,
  ...PAGES,
]
