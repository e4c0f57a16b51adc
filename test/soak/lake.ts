import {pino} from 'pino'
import {startLake} from '../../lake/lake.ts'
import {readLakeSettings} from '../../lake/settings.ts'

// The lake without Studio, to be killed: a separate process that reports its address.
const lake = await startLake({...readLakeSettings(process.env), logger: pino({level: 'warn'})})
console.log(JSON.stringify({address: lake.address}))
process.stdin.resume().once('end', () => process.exit(1))
process.once('SIGTERM', () => {
  lake.close().then(() => process.exit(0))
})
