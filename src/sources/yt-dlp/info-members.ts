/** Members of an `info.json` that are known but not read, from yt-dlp's documentation for extractors. */
export const INFO_MEMBERS: readonly string[] = `
  abr acodec age_limit album album_artist album_artists album_type alt_title artist artists aspect_ratio asr
  audio_channels audio_ext automatic_captions availability average_rating cast channel_is_verified channel_url chapter
  chapter_id chapter_number comments composer composers container cookies creator creators direct disc_number
  dislike_count downloader_options duration_string dynamic_range end_time entries episode episode_id episode_number ext
  extractor extra_param_to_key_url extra_param_to_segment_url filename filesize filesize_approx format format_id
  format_index format_note formats fps fragments fulltitle genre genres has_drm heatmap height hls_aes
  hls_media_playlist_data http_headers ie_key is_live language language_preference license location
  manifest_url modified_date modified_timestamp n_entries playable_in_embed playlist playlist_autonumber
  playlist_channel playlist_channel_id playlist_count playlist_id playlist_index playlist_title playlist_uploader
  playlist_uploader_id playlist_webpage_url preference protocol quality release_date release_timestamp release_year
  repost_count requested_downloads requested_entries requested_formats requested_subtitles resolution save_count
  season season_id season_number section_end section_number section_start section_title series series_id
  source_preference start_time stretched_ratio subtitles tbr thumbnail track track_id track_number uploader_url
  upload_date url vbr vcodec video_ext view_count was_live webpage_url_basename webpage_url_domain width
  _filename _format_sort_fields _has_drm _old_archive_ids _version __files_to_move __last_playlist_index
  __post_extractor __real_download __x_forwarded_for_ip audio_quality available_at concurrent_view_count
  autonumber
`
  .trim()
  .split(/\s+/);
