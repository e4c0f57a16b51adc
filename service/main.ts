import closeWithGrace from 'close-with-grace'
import {createLog} from '../common/log/log.ts'
import {refuseArguments} from '../common/settings.ts'
import {DRAIN} from './http/drain.ts'
import {startService} from './service.ts'
import {readServiceSettings} from './settings.ts'

/** Time for requests in flight to finish after draining, in milliseconds. A second signal exits at once. */
const CLOSE_DEADLINE = 10_000

try {
  refuseArguments(process.argv.slice(2))
  const settings = readServiceSettings(process.env)
  const {logger: log, health: logHealth, flush} = createLog('handrail', settings.port)
  const service = await startService(settings, log, {logHealth})
  closeWithGrace({delay: DRAIN + CLOSE_DEADLINE, logger: log}, async ({signal, err}) => {
    if (err) log.fatal({err}, 'shutting down after an uncaught exception')
    else log.info({signal}, 'closing')
    // Process managers send SIGTERM. Draining would only delay a user at a terminal, or an exit after an error.
    await service.close(signal === 'SIGTERM')
    await flush()
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
