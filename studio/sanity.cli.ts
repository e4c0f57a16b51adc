import {defineCliConfig} from 'sanity/cli'
import {buildLibrary} from '../actions/build/build.ts'
import {hostedHelp} from './build/help.ts'
import {leftOut} from './build/leftOut.ts'
import {mergedTexts} from './build/mergedTexts.ts'
import {thirdPartyFile} from './build/notices.ts'
import {readTarget} from './target.ts'

const target = readTarget(process.env)

export default defineCliConfig({
  api: {projectId: target.projectId, dataset: target.dataset},
  // Studio runs as it was built, whether or not Sanity is reachable.
  deployment: {autoUpdates: false},
  // The values of the variables at build time become part of the bundle, since browsers have no environment
  // variables.
  vite: (config) => ({
    ...config,
    build: {
      ...config.build,
      rolldownOptions: {
        ...config.build?.rolldownOptions,
        // What loads first is one file, and what at least four other parts use: by default, Studio loads 220 files, most of them an icon.
        output: {
          codeSplitting: {
            groups: [
              {name: 'studio', tags: ['$initial'], priority: 1},
              {name: 'shared', minShareCount: 4},
            ],
          },
        },
      },
    },
    define: {...config.define, HANDRAIL_TARGET: JSON.stringify(target)},
    plugins: [
      ...(config.plugins ?? []),
      actionLibrary(),
      thirdPartyFile(),
      // Hosted Sanity applies patches with the library, and serves no guides.
      ...(target.apiHost === undefined
        ? [hostedHelp(new URL('../docs', import.meta.url).pathname)]
        : [mergedTexts(), leftOut()]),
    ],
  }),
})

/** Replaces the build of what actions run by what it makes for people to read: browsers have no bundler. */
function actionLibrary() {
  return {
    name: 'action-library',
    load: (id: string) =>
      id.endsWith('/actions/build/build.ts')
        ? `export const buildLibrary = () => (${JSON.stringify(buildLibrary({isReadable: true}))})`
        : undefined,
  }
}
