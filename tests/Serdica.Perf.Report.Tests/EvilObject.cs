using System.Reflection;
using System.Runtime.CompilerServices;

namespace Serdica.Perf.Report.Tests;

/// <summary>
/// An object of any type with a tag and a script in every text that it can hold, however deep. Texts are found by reflection, so a new
/// property has one too.
/// </summary>
internal static class EvilObject
{
    private const int MostDepth = 12;

    /// <param name="variant">Chooses the value of enums and switches; all of them occur in <see cref="Variants"/>.</param>
    public static T Of<T>(int variant) => (T)Make(typeof(T), variant, 0)!;

    /// <summary>As many as any enum has values.</summary>
    public static TheoryData<int> Variants => [.. Range(0, 16)];

    private static object? Make(Type type, int variant, int depth)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(string))
            return EvilText.Tag;
        if (type.IsEnum)
            return Enum.GetValues(type) is var values ? values.GetValue(variant % values.Length) : null;
        if (type == typeof(bool))
            return variant % 2 == 1;
        if (type == typeof(DateTimeOffset))
            return DateTimeOffset.UnixEpoch.AddDays(variant);
        if (type == typeof(TimeSpan))
            return FromSeconds(1 + variant);
        if (type.IsPrimitive)
            return Convert.ChangeType(1 + variant, type, CultureInfo.InvariantCulture);
        if (depth > MostDepth)
            return null;
        if (type.IsArray)
            return Filled(type.GetElementType()!, variant, depth);
        if (type.GenericTypeArguments is [var key, var value] && type.Name.Contains("Dictionary"))
        {
            var dictionary = (System.Collections.IDictionary)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(key, value))!;
            dictionary.Add(Make(key, variant, depth + 1)!, Make(value, variant, depth + 1));
            return dictionary;
        }

        if (type is { IsInterface: true, GenericTypeArguments: [var element] })
            return Filled(element, variant, depth);
        if (type.IsInterface || type.IsAbstract || type == typeof(object))
            throw new NotSupportedException($"Say here how a {type} is filled.");

        var made = RuntimeHelpers.GetUninitializedObject(type);
        foreach (var property in type.GetProperties(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance))
        {
            if (property.CanWrite && property.GetIndexParameters().Length == 0)
                property.SetValue(made, Make(property.PropertyType, variant, depth + 1));
        }

        foreach (var field in type.GetFields(BindingFlags.Public | BindingFlags.Instance))
            field.SetValue(made, Make(field.FieldType, variant, depth + 1));
        return made;
    }

    private static Array Filled(Type element, int variant, int depth)
    {
        var array = Array.CreateInstance(element, 1);
        array.SetValue(Make(element, variant, depth + 1), 0);
        return array;
    }
}
