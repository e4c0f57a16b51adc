import type {DefaultDocumentNodeResolver} from 'sanity/structure'
import {lazily} from '../parts/lazily.tsx'

const ToolCallsView = lazily(async () => (await import('../calls/toolView.tsx')).ToolCallsView)

/** Tools and form tools have a view next to the form: the calls of agents. */
export const documentNode: DefaultDocumentNodeResolver = (S, {schemaType}) =>
  schemaType === 'tool' || schemaType === 'formTool'
    ? S.document().views([
        S.view.form().title('Edit'),
        S.view.component(ToolCallsView).id('calls').title('Calls'),
      ])
    : S.document()
