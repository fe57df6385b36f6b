import type { ToolGroup } from '../define'
import { imageAnalyze } from './image_analyze'
import { imageGenerate } from './image_generate'
import { videoGenerate } from './video_generate'

/** Pictures and films, made and looked at by the engines and models of the registry. */
export const mediaGroup: ToolGroup = {
  id: 'media',
  label: 'Media',
  prefixes: ['image', 'video'],
  provider: 'the image, video and vision models of `MODELS_FILE`',
  agents: ['media'],
  tools: [imageGenerate, imageAnalyze, videoGenerate],
}
