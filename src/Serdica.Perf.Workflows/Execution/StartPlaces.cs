namespace Serdica.Perf.Workflows;

/// <summary>
/// The places of a host that one start takes for its first activities. They are leased to the host in the commit of the start, which
/// saves a claim, and run after it.
/// </summary>
internal sealed class StartPlaces
{
    private readonly DirectCommits _commits;
    private readonly ActivityRunner _activities;
    private List<LeasedActivity> _leased = [];
    private long _leasedAt;
    private int _reserved;
    private bool _isUnderWay;

    public StartPlaces(DirectCommits commits, ActivityRunner activities, TurnEnvironment environment)
    {
        _commits = commits;
        _activities = activities;
        Environment = environment.RunningActivitiesIf(TryReserve);
    }

    /// <summary>In which the first steps are decided.</summary>
    public TurnEnvironment Environment { get; }

    /// <summary>The first steps are decided.</summary>
    /// <param name="leased">The activities that the start will lease; null without one.</param>
    public void Decided(List<LeasedActivity>? leased) => _leased = leased ?? [];

    /// <summary>The start is about to be written.</summary>
    public void Submitting(long now) => _leasedAt = now;

    /// <summary>The batch of the start was written.</summary>
    /// <param name="isNew">False when another instance had the business key, so nothing of this start was written.</param>
    public void Committed(bool isNew)
    {
        if (isNew)
        {
            _reserved -= _leased.Count;
            foreach (var activity in _leased)
                _activities.Run(activity, _leasedAt);
        }

        GiveBack();
    }

    /// <summary>The start was not written, or nobody knows whether it was.</summary>
    public void Failed(Exception error)
    {
        if (error is WorkflowBackendException { NothingWritten: false })
            _activities.Suspect(_leased, _leasedAt);
        GiveBack();
    }

    private bool TryReserve()
    {
        _isUnderWay = _isUnderWay || _commits.TryBegin();
        if (!_isUnderWay || !_activities.TryReserveAhead())
            return false;
        _reserved++;
        return true;
    }

    private void GiveBack()
    {
        _activities.Release(_reserved);
        _reserved = 0;
        if (_isUnderWay)
            _commits.End();
        _isUnderWay = false;
    }
}
