namespace Serdica.Perf.Measurement.LoadTests.Profiles;

/// <summary>
/// The file of a profile as it is written. All values are text, so that <c>2m</c>, <c>50%</c> and <c>1kb</c> are possible.
/// </summary>
internal sealed class LoadProfileYaml
{
    public string? Name { get; set; }

    public string? Description { get; set; }

    public string? Workflow { get; set; }

    public string? Workers { get; set; }

    public string? Slots { get; set; }

    public Dictionary<string, string?>? Engine { get; set; }

    public string? WarmUp { get; set; }

    public string? Cooldown { get; set; }

    public string? Drain { get; set; }

    public string? WorkerDelay { get; set; }

    public string? WaitForClean { get; set; }

    public string? FreshSteps { get; set; }

    public string? Seed { get; set; }

    public ObjectivesYaml? Objectives { get; set; }

    public List<string>? Thresholds { get; set; }

    public string? AbortOnThreshold { get; set; }

    public WorkYaml? Work { get; set; }

    public Dictionary<string, string?>? Mix { get; set; }

    public List<StepYaml>? Steps { get; set; }

    internal sealed class ObjectivesYaml
    {
        public string? P99 { get; set; }

        public string? ErrorRate { get; set; }

        public string? Lateness { get; set; }
    }

    internal sealed class WorkYaml
    {
        public string? Payload { get; set; }

        public string? State { get; set; }

        public string? FanOut { get; set; }

        public string? Children { get; set; }

        public string? Timers { get; set; }

        public string? TimerDelay { get; set; }

        public string? Delay { get; set; }

        public string? FailureRate { get; set; }

        public string? Trigger { get; set; }
    }

    internal sealed class StepYaml
    {
        public string? Name { get; set; }

        public string? Rate { get; set; }

        public string? VolumePerDay { get; set; }

        public string? Ramp { get; set; }

        public string? RampFrom { get; set; }

        public string? RampBy { get; set; }

        public string? Oscillate { get; set; }

        public string? Period { get; set; }

        public string? BacklogBetween { get; set; }

        public string? Users { get; set; }

        public string? Backlog { get; set; }

        public string? Duration { get; set; }

        public string? Operations { get; set; }

        public string? Reads { get; set; }

        public string? Arrivals { get; set; }
    }
}
