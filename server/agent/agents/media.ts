import { type Agent, toolsOfAgent } from './shape'

export const mediaAgent: Agent = {
  id: 'media',
  label: 'Media',
  about: 'makes images and videos, and describes images',
  words:
    'image,images,picture,pictures,photo,illustration,draw,drawing,logo,poster,generate a video,video clip,animation,render,look at this,what is on'.split(
      ',',
    ),
  instructions:
    'You are the media agent. Making images and videos costs real money: make one unless the goal asks for more, and check an image with image_analyze only when the goal depends on what it shows. Give the URL of everything you made.',
  uses: toolsOfAgent('media'),
}
