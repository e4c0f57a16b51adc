import {pino} from 'pino'
import {startLake} from '../../../lake/lake.ts'
import {readLakeSettings} from '../../../lake/settings.ts'

// The lake with the pages and sockets of Studio, over a folder in place of a Studio that would be built first.
const studioDir = process.env.FUZZ_STUDIO_DIR
await startLake({
  ...readLakeSettings(process.env),
  ...(studioDir !== undefined && {studioDir}),
  logger: pino({}),
})
