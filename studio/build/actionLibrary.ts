import {buildLibrary} from '../../actions/build/build.ts'

/** Replaces the build of what actions run by what it makes for people to read: browsers have no bundler. */
export function actionLibrary() {
  return {
    name: 'action-library',
    load: (id: string) =>
      id.endsWith('/actions/build/build.ts')
        ? `export const buildLibrary = () => (${JSON.stringify(buildLibrary({isReadable: true}))})`
        : undefined,
  }
}
