import type { ToolGroup } from '../define'
import { videositeSettings } from './settings'
import { videositeComments } from './videosite_comments'
import { videositeSearch } from './videosite_search'
import { videositeTranscript } from './videosite_transcript'
import { videositeVideoInfo } from './videosite_video_info'

/**
 * Public videos of YouTube. Works without a key; a key for the Data API makes results exact, except
 * transcripts.
 */
export const videositeGroup: ToolGroup = {
  id: 'videosite',
  label: 'Video site',
  provider: 'YouTube',
  agent: 'social',
  names: [
    'video',
    'videos',
    'vídeo',
    'vídeos',
    'vidéo',
    'vidéos',
    'wideo',
    'видео',
    'youtube',
    'youtube.com',
    'www.youtube.com',
    'youtu.be',
  ],
  settings: videositeSettings,
  tools: [videositeVideoInfo, videositeComments, videositeTranscript, videositeSearch],
}
