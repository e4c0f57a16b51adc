import {createLog} from '../../../common/log/log.ts'
import {startService} from '../../../service/service.ts'
import {readServiceSettings} from '../../../service/settings.ts'

/** The unmodified service, for a parent process that has to know where it listens. */
const {address} = await startService(readServiceSettings(process.env), createLog('handrail').logger)
process.send?.(address)
