import {defineCliConfig} from 'sanity/cli'
import {precompiledMetaSchemas} from './build/metaSchemas.ts'
import {readTarget} from './target.ts'

const target = readTarget(process.env)

export default defineCliConfig({
  api: {projectId: target.projectId, dataset: target.dataset},
  // Studio runs as it was built, whether or not Sanity can be reached.
  deployment: {autoUpdates: false},
  // The bundle carries what the variables said when it was built: a browser has none.
  vite: (config) => ({
    ...config,
    define: {...config.define, HANDRAIL_TARGET: JSON.stringify(target)},
    plugins: [...(config.plugins ?? []), precompiledMetaSchemas()],
  }),
})
