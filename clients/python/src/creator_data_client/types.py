# Generated from docs/openapi.json by `npm run openapi`. Do not edit.
"""Types of the records and of ``meta``."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

Platform = Literal["live_platform", "video_platform", "photo_platform", "short_platform", "microblog_platform"]
"""Platform of a record."""


class FollowerBounds(TypedDict, total=False):
    min: int
    """At least so many followers."""
    max: int
    """At most so many followers."""


class SearchFilters(TypedDict, total=False):
    followers: FollowerBounds
    """Bounds, inclusive; unknown numbers are outside of any."""
    language: List[str]
    """Language codes as they are stored, in any case: `en` does not include `en-gb`. The facet lists them."""
    account_type: List[str]
    """Statuses on the platform, such as partner."""
    is_mature: bool
    """Whether the profile is marked as for adults only."""
    last_active_after: str
    """Active on this UTC day or later."""
    game_ids: List[str]
    """IDs of games on the platform: creators with content of any of them."""
    topics: List[str]
    """Topics or categories of the analysis, whole, in any case."""
    countries: List[str]
    """Country codes of the residence in the analysis, such as DE, in any case."""
    has: List[Literal["email", "analysis", "audience", "socials"]]
    """Documents that must all exist; in `not`, creators with any of them are left out."""


class ProfileStatistics(TypedDict):
    followers: Optional[int]
    """Followers; on video_platform the free channel subscribers."""
    views_estimated: Optional[int]
    """Estimated number of all views."""


class Profile(TypedDict):
    """A content creator on one platform."""

    platform_id: Platform
    """The platform of the profile."""
    id: str
    """ID of the creator on the platform."""
    name: Optional[str]
    """Handle."""
    display_name: Optional[str]
    """Displayed name."""
    url: Optional[str]
    """URL of the profile."""
    description: Optional[str]
    """The creator's own description."""
    profile_image: Optional[str]
    """URL of the profile image."""
    banner_image: Optional[str]
    """URL of the banner image."""
    language: Optional[str]
    """Language code."""
    statistics: ProfileStatistics
    """Statistics of the profile."""
    account_type: Optional[str]
    """Status on the platform, for example partner or affiliate."""
    is_mature: Optional[bool]
    """Whether the profile is marked as for adults only."""
    updated_at: Optional[str]
    """Time of the last update of this record."""
    last_active_at: Optional[str]
    """Time of the creator's last known activity."""


class HandleMapping(TypedDict):
    """A handle and the ID of the creator it belongs to."""

    handle: str
    """Requested handle, without a leading @."""
    id: str
    """ID of the creator on the platform."""


class HistoryPoint(TypedDict):
    """Statistics of a profile on one day."""

    date: str
    """UTC day of the observation."""
    followers: Optional[int]
    """Followers; on video_platform the free channel subscribers."""
    views_estimated: Optional[int]
    """Estimated number of all views."""


class ContentStatisticsViewers(TypedDict):
    avg: Optional[float]
    """Average number of concurrent viewers."""
    max: Optional[int]
    """Highest number of concurrent viewers."""


class ContentStatisticsWatchedMinutes(TypedDict):
    sum: Optional[int]
    """Total."""


class ContentStatisticsAirtimeMinutes(TypedDict):
    sum: Optional[int]
    """Total."""


class ContentStatisticsViews(TypedDict):
    sum: Optional[int]
    """Total."""


class ContentStatisticsLikes(TypedDict):
    sum: Optional[int]
    """Total."""


class ContentStatisticsComments(TypedDict):
    sum: Optional[int]
    """Total."""
    avg: Optional[int]
    """Average."""


class ContentStatistics(TypedDict, total=False):
    viewers: ContentStatisticsViewers
    """Concurrent viewers."""
    watched_minutes: ContentStatisticsWatchedMinutes
    """Minutes watched by all viewers together."""
    airtime_minutes: ContentStatisticsAirtimeMinutes
    """Minutes streamed."""
    views: ContentStatisticsViews
    """Views."""
    likes: ContentStatisticsLikes
    """Likes."""
    comments: ContentStatisticsComments
    """Comments."""


class Content(TypedDict):
    """A stream, video or post."""

    content_id: str
    """ID of the item on the platform."""
    platform: Platform
    """The platform of the item."""
    type: Literal["stream", "video", "short", "long", "post"]
    """Kind of item; post is a photo or text post."""
    title: Optional[str]
    """Title."""
    description: Optional[str]
    """Description."""
    created_at: Optional[str]
    """Start of a stream, otherwise publication or creation."""
    ended_at: Optional[str]
    """End of a stream on live_platform."""
    duration: Optional[int]
    """Length in milliseconds."""
    url: Optional[str]
    """URL of the item."""
    categories: List[Category]
    """Games and topics."""
    tags: List[Tag]
    """Tags."""
    statistics: ContentStatistics
    """Known statistics."""
    chapters: List[Chapter]
    """Chapters of a stream on live_platform."""
    profile_id: Optional[str]
    """ID of the creator who published the item."""


class Category(TypedDict):
    """A game or a topic that content is filed under."""

    id: str
    """ID of the category on its platform."""
    type: Literal["live_platform_game", "video_platform_game", "video_platform_category"]
    """Kind of category."""
    name: Optional[str]
    """Name of the category."""
    gamedb_id: Optional[int]
    """ID in the game database; only for games."""
    gamedb_name: Optional[str]
    """Official name of the game; only for games."""
    gamedb_slug: Optional[str]
    """URL-friendly name of the game; only for games."""


class Tag(TypedDict):
    """A tag of an item or a chapter."""

    id: str
    """ID of the tag on its platform."""
    type: Literal["live_platform_tag", "video_platform_game", "video_platform_category", "video_platform_tag"]
    """Kind of tag."""
    name: Optional[str]
    """Displayed text of the tag."""


class ChapterStatisticsViewers(TypedDict):
    avg: Optional[float]
    """Average number of concurrent viewers."""
    max: Optional[int]
    """Highest number of concurrent viewers."""


class ChapterStatistics(TypedDict, total=False):
    viewers: ChapterStatisticsViewers
    """Concurrent viewers."""


class Chapter(TypedDict):
    """A part of a stream."""

    id: str
    """ID of the chapter."""
    title: Optional[str]
    """Title."""
    description: Optional[str]
    """Description."""
    created_at: Optional[str]
    """Start of the chapter."""
    ended_at: Optional[str]
    """End of the chapter."""
    duration: Optional[int]
    """Length in milliseconds."""
    categories: List[Category]
    """Games and topics."""
    tags: List[Tag]
    """Tags."""
    statistics: ChapterStatistics
    """Known statistics."""


class Game(TypedDict):
    """A game."""

    id: str
    """ID in the game database."""
    name: str
    """Official name."""
    slug: Optional[str]
    """URL-friendly name."""
    first_release_date: Optional[str]
    """First release on any system."""
    live_platform_id: Optional[str]
    """ID of the game on live_platform."""
    video_platform_id: Optional[str]
    """ID of the game's channel on video_platform."""


class GameDetails(TypedDict):
    """A game with its popularity."""

    id: str
    """ID in the game database."""
    name: str
    """Official name."""
    slug: Optional[str]
    """URL-friendly name."""
    first_release_date: Optional[str]
    """First release on any system."""
    live_platform_id: Optional[str]
    """ID of the game on live_platform."""
    video_platform_id: Optional[str]
    """ID of the game's channel on video_platform."""
    total_rating_count: Optional[int]
    """Number of ratings; game search orders by it."""


class CreatorAnalysisMpaa(TypedDict):
    rating: str
    """Film rating, such as PG-13."""
    reason: str
    """Reasoning of the AI."""


class CreatorAnalysisContentFormatsParent(TypedDict):
    value: str
    """Name of the parent format."""
    index: int
    """Number of the parent format."""


class CreatorAnalysisContentFormats(TypedDict):
    content_format: str
    """Name of the format."""
    strength_rating: int
    """Strength of the format or interest."""
    parent: CreatorAnalysisContentFormatsParent
    """Parent format."""


class CreatorAnalysisInterestsClassification(TypedDict):
    topic: str
    """Topic."""
    category: str
    """Category within the topic."""
    index: int
    """Number of the category."""


class CreatorAnalysisInterests(TypedDict):
    interest: str
    """Interest of the creator."""
    strength_rating: int
    """Strength of the format or interest."""
    reason: str
    """Reasoning of the AI."""
    classification: CreatorAnalysisInterestsClassification
    """Classification of the interest."""


class CreatorAnalysisClassifications(TypedDict):
    topic: str
    """Topic."""
    category: str
    """Category within the topic."""
    reason: str
    """Reasoning of the AI."""


class CreatorAnalysisPrimaryClassification(TypedDict):
    topic: str
    """Topic."""
    category: str
    """Category within the topic."""
    reason: str
    """Reasoning of the AI."""


class CreatorAnalysisBirthday(TypedDict):
    birthday_day: int
    """Day of the month."""
    birthday_month: int
    """Month, 1 to 12."""
    birthday_year: int
    """Year."""


class CreatorAnalysisResidence(TypedDict):
    city: str
    """City."""
    state: str
    """State or region."""
    country_code: str
    """Country code."""


class CreatorAnalysisFamilyNotableFamilyMembers(TypedDict):
    name: str
    """Name."""
    relationship: str
    """Relationship to the creator."""
    public_figure: Optional[bool]
    """Whether the person is publicly known."""
    appears_in_content: Optional[bool]
    """Whether the person appears in the content."""


class CreatorAnalysisFamily(TypedDict):
    has_children: Optional[bool]
    """Whether the creator has children."""
    relationship_status: str
    """Relationship status, such as single or married."""
    notable_family_members: List[CreatorAnalysisFamilyNotableFamilyMembers]
    """Known relatives."""


class CreatorAnalysisAppearance(TypedDict):
    shows_face: Optional[bool]
    """Whether the creator's face is visible."""
    is_vtuber: Optional[bool]
    """Whether the creator appears as an animated avatar."""
    is_ai_generated_influencer: Optional[bool]
    """Whether the creator is generated by AI."""
    notable_physical_characteristics: List[str]
    """Recognisable physical features."""


class CreatorAnalysisPlatforms(TypedDict):
    platform_name: str
    """Name of the platform."""
    handle: str
    """Handle on that platform."""
    platform_url: str
    """URL of the profile on that platform."""
    primary_content_type: str
    """Primary type of content on that platform."""


class CreatorAnalysisBackgroundEducation(TypedDict):
    institution: str
    """Institution."""
    degree: str
    """Degree."""
    field: str
    """Field of study."""


class CreatorAnalysisBackground(TypedDict):
    education: List[CreatorAnalysisBackgroundEducation]
    """Education."""
    original_motivation: str
    """Original motivation of the creator."""


class CreatorAnalysisBusinessCollaborations(TypedDict):
    collaboration_partner: str
    """Partner of the collaboration."""
    collaboration_type: str
    """Kind of collaboration."""
    description: Optional[str]
    """Description of the collaboration."""


class CreatorAnalysisBusinessMonetization(TypedDict):
    revenue_stream: str
    """Source of income."""
    estimated_importance: int
    """Estimated share of the income."""
    details: str
    """Details."""
    platform: Optional[str]
    """Platform on which it is earned."""


class CreatorAnalysisBusinessVentures(TypedDict):
    venture_name: str
    """Name of the venture."""
    venture_type: str
    """Kind of venture."""
    description: Optional[str]
    """Description of the venture."""
    role: str
    """Role of the creator."""
    launch_date: str
    """Launch date."""


class CreatorAnalysisBusiness(TypedDict):
    collaborations: List[CreatorAnalysisBusinessCollaborations]
    """Work with brands and other creators."""
    monetization: List[CreatorAnalysisBusinessMonetization]
    """Sources of income."""
    ventures: List[CreatorAnalysisBusinessVentures]
    """Businesses of the creator."""


class CreatorAnalysis(TypedDict):
    """AI-enriched analysis of a creator."""

    channel_type: Optional[str]
    """Kind of channel."""
    gender: Optional[str]
    """Gender."""
    age_range: Optional[str]
    """Age range."""
    primary_language: Optional[str]
    """Primary language."""
    mpaa: Optional[CreatorAnalysisMpaa]
    """Film rating that fits the content."""
    content_formats: List[CreatorAnalysisContentFormats]
    """Formats of the content."""
    interests: List[CreatorAnalysisInterests]
    """Interests."""
    biography: Optional[str]
    """Biography."""
    classifications: List[CreatorAnalysisClassifications]
    """Topics of the creator."""
    primary_classification: Optional[CreatorAnalysisPrimaryClassification]
    """Primary topic of the creator."""
    real_first_name: Optional[str]
    """Real first name."""
    real_last_name: Optional[str]
    """Real last name."""
    aliases: List[str]
    """Other names."""
    birthday: Optional[CreatorAnalysisBirthday]
    """Birthday."""
    residence: Optional[CreatorAnalysisResidence]
    """Place of residence."""
    nationality: Optional[str]
    """Nationality."""
    height_in_inches: Optional[int]
    """Height in inches."""
    family: Optional[CreatorAnalysisFamily]
    """Family."""
    appearance: Optional[CreatorAnalysisAppearance]
    """Appearance."""
    platforms: List[CreatorAnalysisPlatforms]
    """Profiles of the creator on other platforms."""
    background: Optional[CreatorAnalysisBackground]
    """Education and motivation."""
    business: Optional[CreatorAnalysisBusiness]
    """Collaborations, income and ventures."""


class AudienceAnalysisGenderDistributionMale(TypedDict):
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisGenderDistributionFemale(TypedDict):
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisGenderDistributionNonBinary(TypedDict):
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisGenderDistribution(TypedDict):
    male: AudienceAnalysisGenderDistributionMale
    """Male."""
    female: AudienceAnalysisGenderDistributionFemale
    """Female."""
    non_binary: AudienceAnalysisGenderDistributionNonBinary
    """Non-binary."""


class AudienceAnalysisAgeRanges(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisCountries(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisLanguages(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisEthnicityDistribution(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisOccupationDistribution(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisIncomeDistribution(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisEducationLevel(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisFamilyStatus(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisReligionDistribution(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisEngagementStyle(TypedDict):
    value: str
    """Value of the trait."""
    percentage: float
    """Share of the audience in percent."""


class AudienceAnalysisInterestsSubInterests(TypedDict):
    value: str
    """Interest of the audience."""
    strength_rating: int
    """Strength of the interest."""
    emoji: str
    """Emoji for the interest."""


class AudienceAnalysisInterests(TypedDict):
    value: str
    """Interest of the audience."""
    strength_rating: int
    """Strength of the interest."""
    emoji: str
    """Emoji for the interest."""
    sub_interests: List[AudienceAnalysisInterestsSubInterests]
    """Narrower interests."""


class AudienceAnalysisCommunityHealth(TypedDict):
    loyalty_score: float
    """How loyal the community is to the creator."""
    cohesion_score: float
    """How cohesive the community is."""
    toxicity_score: float
    """How toxic the community is."""
    loyalty_signals: List[str]
    """Observations that indicate loyalty."""
    cohesion_signals: List[str]
    """Observations that indicate cohesion."""
    toxicity_signals: List[str]
    """Observations that indicate toxicity."""


class AudienceAnalysisBrandSafetyRiskFactors(TypedDict):
    factor: str
    """Risk factor."""
    frequency: float
    """How often it occurs."""


class AudienceAnalysisBrandSafety(TypedDict):
    overall_risk_level: float
    """Overall risk."""
    risk_factors: List[AudienceAnalysisBrandSafetyRiskFactors]
    """Individual risks."""


class AudienceAnalysis(TypedDict):
    """AI-enriched analysis of a creator's audience."""

    gender_distribution: Optional[AudienceAnalysisGenderDistribution]
    """Genders."""
    age_ranges: List[AudienceAnalysisAgeRanges]
    """Age ranges."""
    countries: List[AudienceAnalysisCountries]
    """Countries."""
    languages: List[AudienceAnalysisLanguages]
    """Languages."""
    ethnicity_distribution: List[AudienceAnalysisEthnicityDistribution]
    """Ethnicities."""
    occupation_distribution: List[AudienceAnalysisOccupationDistribution]
    """Occupations."""
    income_distribution: List[AudienceAnalysisIncomeDistribution]
    """Income."""
    education_level: List[AudienceAnalysisEducationLevel]
    """Levels of education."""
    family_status: List[AudienceAnalysisFamilyStatus]
    """Family status."""
    religion_distribution: List[AudienceAnalysisReligionDistribution]
    """Religions."""
    engagement_style: List[AudienceAnalysisEngagementStyle]
    """Engagement styles."""
    interests: List[AudienceAnalysisInterests]
    """Interests."""
    community_health: Optional[AudienceAnalysisCommunityHealth]
    """Relationship of the community with the creator and among its members."""
    brand_safety: Optional[AudienceAnalysisBrandSafety]
    """Risks for brands that work with the creator."""


class SocialLink(TypedDict):
    """The same creator's profile on another platform."""

    id: str
    """ID of the creator on the other platform."""
    name: Optional[str]
    """Handle on the other platform."""
    platform_id: Platform
    """The other platform."""
    followers: Optional[int]
    """Followers on the other platform."""


class Email(TypedDict):
    """A creator's e-mail address."""

    email: Optional[str]
    """Publicly listed business address."""
    updated_at: Optional[str]
    """Time of the last confirmation of the address."""


class _ChangeRequired(TypedDict):
    op: Literal["upsert", "delete"]
    """`upsert`: store the record in place of the one you have; `delete`: remove it."""
    id: str
    """ID of the record; the creator ID for kinds about a creator."""
    changed_at: Optional[str]
    """When the service stored the change; null for records from before it kept this."""
    record: Union[Profile, Content, CreatorAnalysis, AudienceAnalysis, List[SocialLink], Email, Any]
    """What the look-up of the record has as `payload`, of the requested kind; null for `delete`."""


class Change(_ChangeRequired, total=False):
    """A change of a record."""

    updated_at: Optional[str]
    """Date of the document, only for the kinds `analysis`, `audience` and `emails`."""


class GameChange(TypedDict):
    """A change of a game."""

    op: Literal["upsert", "delete"]
    """`upsert`: store the record in place of the one you have; `delete`: remove it."""
    id: str
    """ID of the record; the creator ID for kinds about a creator."""
    changed_at: Optional[str]
    """When the service stored the change; null for records from before it kept this."""
    record: Union[GameDetails, Any]
    """The game; null for `delete`."""


class UsageLine(TypedDict):
    """Usage of one operation on one day."""

    date: str
    """UTC day."""
    operation: str
    """Operation, such as profiles.get."""
    requests: int
    """Number of answered requests, including errors."""
    quota_units: int
    """Quota units charged."""
    credits: int
    """Marketplace credits charged."""


class _HealthChecksRequired(TypedDict):
    database: Literal["up", "down"]
    """Whether the database can be read."""
    usage: Literal["up", "down"]
    """Whether usage records can be made durable."""
    capacity: Literal["up", "down"]
    """`down` while requests are rejected for overload; does not change `status`."""
    search: Literal["up", "down"]
    """`down` while the index of creators cannot be written, so that searches are answered 503; does not change `status`."""


class HealthChecks(_HealthChecksRequired, total=False):
    redis: Literal["up", "down"]
    """Whether rate limits are shared between processes; absent without Redis; does not change `status`."""


class Health(TypedDict):
    """The state of the service."""

    status: Literal["ok", "unavailable"]
    """Whether requests can be served."""
    checks: HealthChecks
    """Result of each check."""


class LivenessChecks(TypedDict):
    pass


class Liveness(TypedDict):
    """The state of the process."""

    status: Literal["ok"]
    """Always ok if the process answers."""
    checks: LivenessChecks
    """Always empty: this endpoint checks no dependency."""


class _ErrorErrorRequired(TypedDict):
    status: int
    """The HTTP status."""
    message: str
    """What is wrong, for a person to read."""
    code: Literal["invalid_platform", "missing_parameter", "unknown_parameter", "repeated_parameter", "invalid_parameter", "conflicting_parameters", "too_many_parameters", "member_hidden", "invalid_cursor", "invalid_json", "body_too_deep", "body_too_complex", "header_too_long", "invalid_test_answer", "test_key_required", "malformed_request", "missing_api_key", "monthly_allowance_used_up", "invalid_api_key", "profile_not_found", "content_not_found", "game_not_found", "analysis_not_available", "audience_not_available", "email_not_available", "path_not_found", "method_not_allowed", "cursor_ahead", "request_timeout", "body_too_large", "unsupported_media_type", "expectation_failed", "rate_limit_exceeded", "too_many_invalid_keys", "too_many_uploads", "too_many_unread_answers", "headers_too_large", "internal_error", "service_unavailable", "overloaded"]
    """What is wrong, for a program: it never changes its meaning. Later versions may add codes."""
    documentation_url: str
    """Explanation of the code, relative to the service: `/docs/errors#CODE`."""


class ErrorError(_ErrorErrorRequired, total=False):
    parameter: str
    """Name of the one parameter or body member that is wrong."""
    allowed: List[str]
    """Accepted values or names, if they are few."""
    hint: str
    """What to do."""


class ErrorMeta(TypedDict):
    request_id: str
    """ID of the request, as in the header `X-Request-Id`."""


class Error(TypedDict):
    """An answer other than success."""

    error: ErrorError
    """What is wrong."""
    meta: ErrorMeta
    """About the request."""


class ProfilesListMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""


class ProfilesBatchMeta(TypedDict):
    """About the request."""

    missing_ids: List[str]
    """Unknown IDs, in the order of the request."""
    received_at: str
    """When the service received the request."""


class ProfilesLookupMeta(TypedDict):
    """About the request."""

    missing_handles: List[str]
    """Unknown handles, in the order of the request, without a leading `@`."""
    received_at: str
    """When the service received the request."""


class ProfilesSearchMetaCount(TypedDict):
    value: int
    """Number of creators."""
    relation: Literal["eq", "gte"]
    """`eq`: exactly so many; `gte`: at least so many, only above 10,000."""


class ProfilesSearchMetaFacetsLanguage(TypedDict):
    value: str
    """Value, in its most frequent spelling."""
    count: int
    """Creators with it."""


class ProfilesSearchMetaFacetsAccountType(TypedDict):
    value: str
    """Value, in its most frequent spelling."""
    count: int
    """Creators with it."""


class ProfilesSearchMetaFacetsTopics(TypedDict):
    value: str
    """Value, in its most frequent spelling."""
    count: int
    """Creators with it."""


class ProfilesSearchMetaFacetsCountries(TypedDict):
    value: str
    """Value, in its most frequent spelling."""
    count: int
    """Creators with it."""


class ProfilesSearchMetaFacets(TypedDict, total=False):
    language: List[ProfilesSearchMetaFacetsLanguage]
    """At most 20 values, the most frequent one first."""
    account_type: List[ProfilesSearchMetaFacetsAccountType]
    """At most 20 values, the most frequent one first."""
    topics: List[ProfilesSearchMetaFacetsTopics]
    """At most 20 values, the most frequent one first."""
    countries: List[ProfilesSearchMetaFacetsCountries]
    """At most 20 values, the most frequent one first."""


class _ProfilesSearchMetaRequired(TypedDict):
    received_at: str
    """When the service received the request."""


class ProfilesSearchMeta(_ProfilesSearchMetaRequired, total=False):
    """About the request."""

    count: ProfilesSearchMetaCount
    """How many creators there are in all; only with `count`."""
    facets: ProfilesSearchMetaFacets
    """Most frequent values among all creators found, by facet; only with `facets`."""


class ProfilesGetMetaAvailable(TypedDict):
    analysis: bool
    """Whether there is an analysis of the creator."""
    audience: bool
    """Whether there is an analysis of the audience."""
    socials: bool
    """Whether there are links to other platforms."""
    email: bool
    """Whether there is an e-mail address; false if it is hidden from the key."""


class _ProfilesGetMetaRequired(TypedDict):
    received_at: str
    """When the service received the request."""


class ProfilesGetMeta(_ProfilesGetMetaRequired, total=False):
    """About the request."""

    available: ProfilesGetMetaAvailable
    """Which documents about the creator exist; only with `include=available`."""


class HistoryGetMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""
    platform: Platform
    """Requested platform."""
    profile_id: str
    """Requested creator ID."""
    first_observed_at: Optional[str]
    """First observed UTC day of all that is stored; null where nothing is."""


class ContentListMeta(TypedDict):
    """About the request."""

    platform: Platform
    """Requested platform."""
    received_at: str
    """When the service received the request."""


class ContentBatchMeta(TypedDict):
    """About the request."""

    platform: Platform
    """Requested platform."""
    missing_ids: List[str]
    """Unknown IDs, in the order of the request."""
    received_at: str
    """When the service received the request."""


class ContentGetMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""


class ContentByProfileMeta(TypedDict):
    """About the request."""

    platform: Platform
    """Requested platform."""
    profile_id: str
    """Requested creator ID."""
    received_at: str
    """When the service received the request."""


class ContentByGameMetaGame(TypedDict):
    id: str
    """ID in the game database."""
    name: str
    """Official name."""
    slug: Optional[str]
    """URL-friendly name."""


class ContentByGameMetaCreators(TypedDict):
    id: str
    """ID of the creator, `profile_id` of the items."""
    name: Optional[str]
    """Handle."""
    display_name: Optional[str]
    """Displayed name."""


class _ContentByGameMetaRequired(TypedDict):
    source: Literal["database"]
    """Where the data comes from."""
    received_at: str
    """When the service received the request."""
    request_id: str
    """ID of the request, as in the header `X-Request-Id`."""
    game: Optional[ContentByGameMetaGame]
    """The game; null where only its content is known."""
    platform: Platform
    """Requested platform."""


class ContentByGameMeta(_ContentByGameMetaRequired, total=False):
    """About the request."""

    creators: List[ContentByGameMetaCreators]
    """The known creators of the page, in the order of their first items; only with `include=creators`."""


class GamesSearchMeta(TypedDict):
    """About the request."""

    source: Literal["database"]
    """Where the data comes from."""
    query: str
    """Search text."""
    platform: Optional[Platform]
    """Requested platform; null for all of them."""
    limit: int
    """Maximum number of games."""
    received_at: str
    """When the service received the request."""


class GamesGetMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""


class GamesChangesMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""


class AnalysisGetMeta(TypedDict):
    """About the request."""

    source: Literal["database", "model"]
    """Where the record comes from: it was imported, or made by a model."""
    received_at: str
    """When the service received the request."""
    request_id: str
    """ID of the request, as in the header `X-Request-Id`."""


class AudienceGetMeta(TypedDict):
    """About the request."""

    last_updated_at: Optional[str]
    """When the analysis was made."""
    received_at: str
    """When the service received the request."""


class SocialsGetMeta(TypedDict):
    """About the request."""

    source: Literal["database"]
    """Where the data comes from."""
    received_at: str
    """When the service received the request."""
    request_id: str
    """ID of the request, as in the header `X-Request-Id`."""


class EmailGetMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""


class ChangesListMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""


class UsageGetMetaTotals(TypedDict):
    requests: int
    """Requests of all days and operations."""
    quota_units: int
    """Quota units of all days and operations."""
    credits: int
    """Marketplace credits of all days and operations."""


class UsageGetMetaAllowanceQuotaUnits(TypedDict):
    limit: int
    """Quota units a month."""
    used: int
    """Quota units used in this month."""


class UsageGetMetaAllowanceCredits(TypedDict):
    limit: int
    """Marketplace credits a month."""
    used: int
    """Marketplace credits used in this month."""


class UsageGetMetaAllowance(TypedDict):
    quota_units: Optional[UsageGetMetaAllowanceQuotaUnits]
    """Quota units of the month; null if they are not limited."""
    credits: Optional[UsageGetMetaAllowanceCredits]
    """Marketplace credits of the month; null if they are not limited."""
    resets_at: str
    """When the next UTC month begins."""


class UsageGetMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""
    totals: UsageGetMetaTotals
    """Sums of the payload."""
    allowance: Optional[UsageGetMetaAllowance]
    """Monthly allowance of the key, and what it has used of it; null without one."""


class HealthMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""


class HealthLiveMeta(TypedDict):
    """About the request."""

    received_at: str
    """When the service received the request."""
