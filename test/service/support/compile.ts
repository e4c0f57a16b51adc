import {SiteCompiler} from '../../../service/site/compile.ts'

/** Compiles a site. A test of long tools needs a compiler of its own, which it closes. */
export function compileSite(
  ...site: Parameters<SiteCompiler['compile']>
): ReturnType<SiteCompiler['compile']> {
  return new SiteCompiler().compile(...site)
}
