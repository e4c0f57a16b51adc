import type {DocumentActionComponent, DocumentActionsResolver} from 'sanity'
import {toldOfReleases} from '../releases/heldByRelease.tsx'
import {unlessReviewed} from '../review/publish.tsx'
import {removedWithReview} from '../review/removal.tsx'
import {isLake} from '../running.ts'
import {copySiteAction} from './copySite/copySite.tsx'
import {openPage} from './openPage.tsx'
import {unlessInUse} from './siteInUse.tsx'
import {copyToSite, moveToSite} from './siteOfTool.tsx'
import {switchSite} from './siteSwitch.tsx'

/** The actions of a document: Sanity's, and those that only make sense here. */
export const documentActions: DocumentActionsResolver = (given, {schemaType}) => {
  // Hosted Sanity does not enforce reviews.
  const actions = isLake ? given.map(reviewed).map(told) : given
  if (schemaType === 'site') {
    const own = actions.filter(({action}) => action !== 'duplicate').map(guarded)
    return [...withOpenPage(own), copySiteAction, switchSite]
  }
  return schemaType === 'tool' || schemaType === 'formTool'
    ? [...withOpenPage(actions), copyToSite, moveToSite]
    : given
}

/** First in the menu, after "Publish": Studio finds the dialog of an action by its place, which those that come and go would move. */
function withOpenPage([publish, ...others]: DocumentActionComponent[]): DocumentActionComponent[] {
  return publish === undefined ? [openPage] : [publish, openPage, ...others]
}

function reviewed(action: DocumentActionComponent): DocumentActionComponent {
  if (action.action === 'publish') return unlessReviewed(action)
  return isRemoving(action) ? removedWithReview(action) : action
}

function told(action: DocumentActionComponent): DocumentActionComponent {
  return action.action === 'publish' || isRemoving(action) ? toldOfReleases(action) : action
}

function guarded(action: DocumentActionComponent): DocumentActionComponent {
  return isRemoving(action) ? unlessInUse(action) : action
}

/** Whether it is one that the Content Lake refuses for a site that has tools. */
function isRemoving({action}: DocumentActionComponent): boolean {
  return action === 'delete' || action === 'unpublish'
}
