import {useMemo} from 'react'
import {groupVersions, type StoredDocument} from '../../schemas/documents.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Change} from '../activity/activity.ts'
import {useActivity} from '../activity/useActivity.ts'
import {findRegressions, type Publish, type Regression} from './publishes.ts'
import type {SiteCalls} from './report.ts'

/** Publishes to look at. */
const MAX_PUBLISHES = 100

/** The publishes of a site's tools since which more of their calls fail. */
export function useRegressions(
  siteId: string,
  calls: SiteCalls,
  documents: readonly StoredDocument[],
): Regression[] {
  const {answer} = useActivity(siteId, MAX_PUBLISHES, documents)
  const isKnown = answer.state === 'answered'
  const changes = isKnown ? answer.value?.activity.changes : undefined
  return useMemo(
    () => (isKnown ? findRegressions(changes?.map(publishOf) ?? lastPublishes(documents), calls) : []),
    [isKnown, changes, calls, documents],
  )
}

function publishOf({commit, writers, name, timestamp, documents}: Change): Publish {
  return {
    commit,
    author: writers || name,
    time: Date.parse(timestamp),
    // A new tool has no version to go back to.
    tools: documents.flatMap(({id, change}) => (change === 'updated' ? id : [])),
  }
}

/** What hosted Sanity says of publishes: when each document last changed. */
function lastPublishes(documents: readonly StoredDocument[]): Publish[] {
  return groupVersions(documents).flatMap(({id, published}) => {
    const time = Date.parse(textOf(published?._updatedAt))
    return Number.isNaN(time) ? [] : {commit: '', author: '', time, tools: [id]}
  })
}
