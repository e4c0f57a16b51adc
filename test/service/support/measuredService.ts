import {createLog} from '../../../common/log/log.ts'
import {startService} from '../../../service/service.ts'
import {readServiceSettings} from '../../../service/settings.ts'

/** The unmodified service, for a parent process that has to know where it listens. */
const settings = readServiceSettings(process.env)
const {address} = await startService(settings, createLog('handrail', settings.port).logger)
process.send?.(address)
