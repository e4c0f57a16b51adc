import {defineConfig, definePlugin} from 'sanity'
import {structureTool} from 'sanity/structure'
import {documentActions} from './documents/actions.ts'
import {documentBadges} from './documents/badges.ts'
import {FEATURES} from './features.ts'
import {lakeOptions} from './lake.ts'
import {takeHanded} from './making/handed.ts'
import {LayoutWithMade} from './making/saveMade.tsx'
import {LakeNavbar} from './navbar/lakeNavbar.tsx'
import {peopleTool} from './people/tool.ts'
import {RenewingLayout} from './preview/renewal.tsx'
import {ReviewRelease} from './releases/actions.ts'
import {isLake, serviceOrigin, target} from './running.ts'
import {InputWithBackLink} from './site/backLink.tsx'
import {overviewTool} from './site/tool.tsx'
import {documentNode} from './structure/documentNode.ts'
import {structure} from './structure/structure.ts'
import {templates} from './structure/templates.ts'
import {texts} from './structure/texts.ts'
import {studioTypes} from './studioTypes.ts'

const {projectId, dataset, apiHost} = target

takeHanded()

export default defineConfig({
  title: 'Handrail',
  projectId,
  dataset,
  ...(apiHost === undefined ? {} : lakeOptions(apiHost, projectId, [serviceOrigin])),
  studio: {components: {layout: RenewingLayout, ...(isLake && {navbar: LakeNavbar})}},
  plugins: [
    definePlugin({name: 'made-on-pages', studio: {components: {layout: LayoutWithMade}}})(),
    structureTool({
      title: 'Content',
      structure: structure,
      defaultDocumentNode: documentNode,
    }),
  ],
  // The first tool is the one that Studio opens with.
  tools: (others) => [overviewTool, ...others, ...(isLake ? [peopleTool] : [])],
  schema: {types: studioTypes, templates},
  form: {components: {input: InputWithBackLink}},
  i18n: {bundles: texts},
  ...FEATURES,
  releases: {actions: () => (isLake ? [ReviewRelease] : [])},
  document: {...FEATURES.document, actions: documentActions, badges: documentBadges},
})
