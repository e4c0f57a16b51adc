import type {DefaultDocumentNodeResolver} from 'sanity/structure'
import {lazily} from '../parts/lazily.tsx'

const ToolPagesView = lazily(async () => (await import('../overview/tool/view.tsx')).ToolPagesView)
const ToolCallsView = lazily(async () => (await import('../calls/toolView.tsx')).ToolCallsView)

/** Tools and form tools have views next to the form: the pages that offer them, and the calls of agents. */
export const documentNode: DefaultDocumentNodeResolver = (S, {schemaType}) =>
  schemaType === 'tool' || schemaType === 'formTool'
    ? S.document().views([
        S.view.form().title('Edit'),
        S.view.component(ToolPagesView).id('pages').title('Where it shows'),
        S.view.component(ToolCallsView).id('calls').title('Calls'),
      ])
    : S.document()
