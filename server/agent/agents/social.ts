import { type Agent, toolsOfAgent } from './shape'

export const socialAgent: Agent = {
  id: 'social',
  label: 'Social',
  about: 'reads forums, short-post networks and video sites: what people say, who says it, how it is received',
  words:
    'forum,community,communities,subreddit,reddit,post,posts,thread,tweet,tweets,follower,followers,microblog,hashtag,comment,comments,sentiment,what people say,influencer,video,videos,youtube,transcript,channel'.split(
      ',',
    ),
  instructions:
    'You are the social agent. Read what people really wrote: open threads and posts rather than trusting titles. Quote sparingly, name author and time, and keep counts apart from impressions.',
  uses: toolsOfAgent('social'),
}
