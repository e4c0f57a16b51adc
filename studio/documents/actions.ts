import type {DocumentActionComponent, DocumentActionsResolver} from 'sanity'
import {unlessReviewed} from '../review/publish.tsx'
import {removedWithReview} from '../review/removal.tsx'
import {copySiteAction} from './copySite/action.tsx'
import {openPage} from './openPage.tsx'
import {unlessInUse} from './siteInUse.tsx'
import {copyToSite, moveToSite} from './siteOfTool.tsx'
import {switchSite} from './siteSwitch.tsx'

/** Actions of Sanity that the Content Lake refuses for a site that has tools. */
const REMOVING = ['delete', 'unpublish']

/**
 * The actions of a document: Sanity's, and those that only make sense here.
 * @param isLake whether the content is in a lake, which enforces reviews
 */
export const documentActions = (isLake: boolean): DocumentActionsResolver => {
  const ofSite = [copySiteAction, openPage, switchSite(isLake)]
  return (given, {schemaType}) => {
    const actions = isLake ? given.map(reviewed) : given
    if (schemaType === 'site')
      return [...actions.filter(({action}) => action !== 'duplicate').map(guarded), ...ofSite]
    if (schemaType === 'tool' || schemaType === 'formTool')
      return [...actions, openPage, copyToSite, moveToSite]
    return given
  }
}

function reviewed(action: DocumentActionComponent): DocumentActionComponent {
  if (action.action === 'publish') return unlessReviewed(action)
  return action.action !== undefined && REMOVING.includes(action.action) ? removedWithReview(action) : action
}

function guarded(action: DocumentActionComponent): DocumentActionComponent {
  return action.action !== undefined && REMOVING.includes(action.action) ? unlessInUse(action) : action
}
