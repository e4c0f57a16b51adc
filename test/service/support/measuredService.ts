import {createLog} from '../../../service/log.ts'
import {startService} from '../../../service/service.ts'
import {readServiceSettings} from '../../../service/settings.ts'

/** The service as it is, for a parent that has to know where it listens. */
const {address} = await startService(readServiceSettings(process.env), createLog('handrail'))
process.send?.(address)
