import {defineConfig} from 'sanity'
import {structureTool} from 'sanity/structure'
import {schemaTypes} from '../schemas/index.ts'
import {features} from './features.ts'
import {Input} from './inputs/input.tsx'
import {lakeOptions} from './lake.ts'
import {structure} from './structure/structure.ts'
import {templates} from './structure/templates.ts'
import {texts} from './structure/texts.ts'
import {readTarget, type Target} from './target.ts'

/** Written into the bundle by `sanity.cli.ts`. */
declare const HANDRAIL_TARGET: Target | undefined

const {projectId, dataset, apiHost} =
  typeof HANDRAIL_TARGET === 'undefined' ? readTarget(process.env) : HANDRAIL_TARGET

export default defineConfig({
  title: 'Handrail',
  projectId,
  dataset,
  ...(apiHost === undefined ? {} : lakeOptions(apiHost, projectId)),
  plugins: [structureTool({structure})],
  schema: {types: schemaTypes, templates},
  form: {components: {input: Input}},
  i18n: {bundles: [texts]},
  ...features,
})
