import type {DocumentActionComponent, DocumentActionsResolver} from 'sanity'
import {openPage} from './openPage.tsx'
import {unlessInUse} from './siteInUse.tsx'
import {copyToSite, moveToSite} from './siteOfTool.tsx'
import {switchSite} from './siteSwitch.tsx'

/** Actions of Sanity that the Content Lake refuses for a site that has tools. */
const REMOVING = ['delete', 'unpublish']

/** The actions of a document: Sanity's, and those that only make sense here. */
export const documentActions: DocumentActionsResolver = (actions, {schemaType}) => {
  if (schemaType === 'site') return [...actions.map(guarded), openPage, switchSite]
  if (schemaType === 'tool' || schemaType === 'formTool')
    return [...actions, openPage, copyToSite, moveToSite]
  return actions
}

function guarded(action: DocumentActionComponent): DocumentActionComponent {
  return action.action !== undefined && REMOVING.includes(action.action) ? unlessInUse(action) : action
}
