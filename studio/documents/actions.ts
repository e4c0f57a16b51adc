import {useEffect, useRef} from 'react'
import type {DocumentActionComponent, DocumentActionsResolver} from 'sanity'
import {replacedAction} from '../parts/replacedAction.ts'
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
  const actions = (isLake ? given.map(reviewed).map(told) : given).map((action) =>
    action.action === 'publish' ? keepsFocus(action) : action,
  )
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

/** Once a document is published, its button is disabled, and browsers take the focus from it: the button next to it gets the focus. */
const keepsFocus = replacedAction('KeepsFocus', (action) => (props) => {
  const publish = action(props)
  const isOffered = publish !== null && !publish.disabled
  const wasOffered = useRef(isOffered)
  useEffect(() => {
    const isOver = wasOffered.current && !isOffered
    wasOffered.current = isOffered
    const {activeElement} = document
    if (isOver && (activeElement === document.body || activeElement?.matches('[data-testid=action-publish]')))
      document.querySelector<HTMLElement>('[data-testid=action-menu-button]')?.focus()
  }, [isOffered])
  return publish
})

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
