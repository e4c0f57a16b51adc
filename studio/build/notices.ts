import {thirdPartyNotices} from '../../common/build/thirdParty.ts'

/** What Rollup says of a chunk, as far as it is used here. */
type Output = Readonly<
  Record<
    string,
    | {readonly type: 'asset'}
    | {readonly type: 'chunk'; readonly modules: Readonly<Record<string, {readonly renderedLength: number}>>}
  >
>

type Emitter = {
  emitFile(file: {type: 'asset'; fileName: string; source: string}): unknown
  getModuleIds(): Iterable<string>
}

/** Adds a file with the licenses of all packages that Studio's scripts and styles contain. */
export function thirdPartyFile() {
  return {
    name: 'third-party-notices',
    generateBundle(this: Emitter, _options: unknown, output: Output) {
      const rendered = Object.values(output).flatMap((file) =>
        file.type === 'chunk'
          ? Object.entries(file.modules).filter(([, {renderedLength}]) => renderedLength > 0)
          : [],
      )
      const scripts = rendered.map(([id]) => id)
      const styles = [...this.getModuleIds()].filter((id) => /\.css(?:\?|$)/.test(id))
      const source = thirdPartyNotices([...scripts, ...styles])
      this.emitFile({type: 'asset', fileName: 'third-party.txt', source})
    },
  }
}
